"""Measuring: contacts, stress, jams, and how well contact was solved."""
