"""The embedded store: one process of Valkey or Redis for all servers that share a data folder."""

from bigben_server.storage.embedded.folder import make_private
from bigben_server.storage.embedded.process import EmbeddedRedis
from bigben_server.storage.embedded.programs import RedisFailed, find_redis_server

__all__ = ["EmbeddedRedis", "RedisFailed", "find_redis_server", "make_private"]
