"""The candidate's folder: start, hints, progress, reset."""
