"""``python -m fugger``: the command line."""

from fugger.cli import main

if __name__ == "__main__":
    main()
