"""From weights and attachments to the steps that each vertex takes of its own."""
