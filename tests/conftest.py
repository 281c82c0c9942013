"""What holds for all tests."""

import os

# Tests run on all cores already, and threads of NumPy's that wait for a core do so by working.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
