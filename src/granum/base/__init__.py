"""What everything else stands on: errors, array types, the kernel decorator, units."""
