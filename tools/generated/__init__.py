"""Files that are generated from the code: each module here has `files()`, what they should be."""
