"""The seats of house players in the demo."""
