"""Tests of single contacts: impacts of Chung and Ooi (2011), and prescribed motions of two spheres (ON-DEM)."""
