"""The web server: one page, one WebSocket, on this machine only."""
