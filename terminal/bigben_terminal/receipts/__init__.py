"""Receipts and recorded games: their form, and whether they hold."""
