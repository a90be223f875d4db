"""The words that the server and the page exchange over one WebSocket: JSON for most, binary for what moves."""
