"""Sends commands to Redis over one connection, and reads their answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import hiredis
from redis import exceptions
from redis.asyncio import RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import AbstractConnection

Command = tuple[str | bytes | int | float, ...]

NUMBERED_BEFORE = "The ID specified in XADD"
"""In the answer of Redis to an entry that is not behind the end of its stream."""


class Raw(tuple[str | bytes | int | float, ...]):
    """A command whose answer is left as Redis sends it: lists of bytes."""

    __slots__ = ()


REDIRECTED = (exceptions.MovedError, exceptions.AskError, exceptions.TryAgainError)
"""The answers of a node that no longer has a key, or not yet."""


async def on(
    connection: AbstractConnection,
    commands: Sequence[Command],
    callbacks: Mapping[Any, Callable[..., Any]],  # Any: redis-py's own types
) -> list[Any]:
    """Send commands over a connection and read their answers; some may be exceptions.

    ``callbacks`` are redis-py's, which change an answer by its command. If this raises, also when
    it is cancelled, the connection is closed: it could still bring answers to these commands. A
    pipeline of redis-py does the same, and costs much more CPU.
    """
    try:
        # The stub of hiredis knows only tuples of one word.
        packed = b"".join(map(hiredis.pack_command, commands))  # type: ignore[arg-type]
        try:
            await connection.send_packed_command(packed)
        except AttributeError as error:
            # redis-py closes all connections of a cluster when one node fails, also those in use.
            if connection.is_connected:
                raise
            raise exceptions.ConnectionError("Connection closed meanwhile") from error
        answers: list[Any] = []
        for command in commands:
            try:
                answer = await connection.read_response()
            except exceptions.ResponseError as error:
                answer = error
            else:
                if type(command) is tuple and (callback := callbacks.get(str(command[0]))):
                    answer = callback(answer)
            answers.append(answer)
        return answers
    except BaseException:
        await connection.disconnect(nowait=True)
        raise


async def with_node(
    cluster: RedisCluster, node: ClusterNode, commands: Sequence[Command]
) -> list[Any]:
    """Send commands to a node of a cluster, and those that it redirects to the node it names."""
    connection = node.acquire_connection()
    try:
        await node.disconnect_if_needed(connection)
        answers = await on(connection, commands, cluster.response_callbacks)
    finally:
        node.release(connection)
    for i, answer in enumerate(answers):
        if isinstance(answer, REDIRECTED):
            try:
                answers[i] = await cluster.execute_command(*commands[i])
            except exceptions.RedisError as error:
                answers[i] = error
    return answers
