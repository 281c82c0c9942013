"""The commands of the command line, a file each; `fugger.cli` imports one when it is called."""
