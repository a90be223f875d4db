"""`python -m inbetweener` is the command line."""

from inbetweener.cli import main

if __name__ == "__main__":
    main()
