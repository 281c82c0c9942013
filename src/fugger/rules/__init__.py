"""The rules of Die Fugger, once: every other part of the package calls them."""
