"""Our scenes and characters written as USD, as usd-core itself sees them."""
