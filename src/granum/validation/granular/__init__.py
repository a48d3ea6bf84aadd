"""Published physics of granular matter, each case with its source, its scatter and its figure."""
