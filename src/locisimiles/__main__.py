"""``python -m locisimiles`` is the command line too."""

from locisimiles.cli import main

if __name__ == "__main__":
    main()
