"""What an author must prove before content is accepted."""
