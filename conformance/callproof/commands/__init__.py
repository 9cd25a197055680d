"""What each command of the command line does, apart from reading its options."""
