"""The deals that rooms ask for, which are chosen in processes of their own."""
