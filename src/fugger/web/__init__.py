"""The website: tables where people and bots play, as pages and as a JSON API."""
