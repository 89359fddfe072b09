"""Parts of the Components page."""
