"""Packed races: the logs of a race as one value, which takes a small part of their memory."""
