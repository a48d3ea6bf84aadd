"""Laws of soft contact, one file each; `law` says what a law is and how another one is added."""
