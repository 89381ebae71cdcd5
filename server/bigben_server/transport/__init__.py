"""The network side: WebSockets, plain HTTP, the page, and who may connect."""
