"""What pages share: controls, charts, the live chart component, and the only place where labels are escaped."""
