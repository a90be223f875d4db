"""Where a bent chain points, and how its angles follow all that they depend on."""
