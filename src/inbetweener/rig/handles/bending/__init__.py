"""How far a chain reaches, and how it bends to reach less."""
