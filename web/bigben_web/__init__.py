"""The browser page: plain files beside this one, served by the server. Nothing here runs."""
