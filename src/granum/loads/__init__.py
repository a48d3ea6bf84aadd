"""Loads on bodies: one file per kind, with its numeric form and its potential energy or power as expressions."""
