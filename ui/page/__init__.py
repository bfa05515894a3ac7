"""What pages have in common around their own content."""
