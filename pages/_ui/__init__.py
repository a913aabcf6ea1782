"""What the screens share; the only place that touches the session."""
