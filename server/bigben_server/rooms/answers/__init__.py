"""Answers that other processes compute, about races in memory."""
