"""Answering what users do on Discord, and editing the answer later."""
