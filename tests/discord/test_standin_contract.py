"""Requests are held against Discord's description of its API: ours always, its own where it is."""

import json

import pytest
from tests.discord.standin.commands import ENTRY_POINT
from tests.discord.standin.contract import Contract, Requests, check_request
from tests.discord.standin.interactions import LAUNCH
from tests.discord.standin.problems import Json, Problem
from tools import describe_discord

POST = "POST /channels/{channel_id}/messages"
BUTTON = {"type": 2, "style": 1, "label": "Tap", "custom_id": "tap"}


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({"content": 7}, "7 is not of type 'string'"),
        ({"content": "hello", "colour": "red"}, "'colour' was unexpected"),
        ({"components": [{"type": 1, "components": [BUTTON], "text": "Tap"}]}, "'text' was"),
        ({"components": [{"type": 17, "components": []}]}, "17 is not one of"),
        ({"allowed_mentions": {"parse": ["everybody"]}}, "'everybody' is not"),
    ],
)
def test_what_discord_does_not_name_is_refused(body: Json, wrong: str) -> None:
    check_request(POST, {}, {"content": "hello"})
    check_request(POST, {}, {"components": [{"type": 1, "components": [BUTTON]}]})
    with pytest.raises(Problem, match=wrong):
        check_request(POST, {}, body)


def test_a_frame_is_opened_by_a_callback_that_says_no_more_and_by_a_command_with_a_handler() -> (
    None
):
    callback = "POST /interactions/{interaction_id}/{interaction_token}/callback"
    check_request(callback, {"with_response": "1"}, {"type": LAUNCH})
    with pytest.raises(Problem):
        check_request(callback, {}, {"type": LAUNCH, "data": {"content": "hello"}})
    commands = "PUT /applications/{application_id}/commands"
    entry_point = {"name": "play", "description": "Open it", "type": ENTRY_POINT, "handler": 1}
    check_request(commands, {}, [entry_point])
    with pytest.raises(Problem, match="3 is not"):
        check_request(commands, {}, [{**entry_point, "handler": 3}])


def test_so_is_a_query_that_it_does_not_name_and_a_body_where_none_belongs() -> None:
    hook = "POST /webhooks/{webhook_id}/{webhook_token}"
    check_request(hook, {"wait": "true"}, {"content": "hello"})
    with pytest.raises(Problem, match="no 'weight' in its query"):
        check_request(hook, {"weight": "true"}, {"content": "hello"})
    with pytest.raises(Problem, match="'soon' is not of type 'boolean'"):
        check_request(hook, {"wait": "soon"}, {"content": "hello"})
    with pytest.raises(Problem, match="it takes no body"):
        check_request("GET /users/@me", {}, {"content": "hello"})


def discords_own_file(**message: Json) -> Json:
    """As Discord publishes it, but for nearly all."""
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Hello"}}}}
    post = {"requestBody": body, "responses": {"200": body}}
    hello = {"type": "object", "properties": message, "additionalProperties": False}
    return {
        "info": {"title": "Hello", "version": "10"},
        "paths": {"/channels/{channel_id}/messages": {"post": post}},
        "components": {"schemas": {"Hello": hello}},
    }


def test_bodies_are_held_against_the_whole_file_where_there_is_one() -> None:
    strict = Contract(discords_own_file(content={"type": "string"}))
    strict.check_request(POST, {"content": "hello"})
    strict.check_answer(POST, 200, {"content": "hello"})
    with pytest.raises(Problem, match=r"\$.content: 7 is not of type 'string'"):
        strict.check_request(POST, {"content": 7})
    with pytest.raises(AssertionError, match="'loud' was unexpected"):
        strict.check_answer(POST, 200, {"loud": True})


def test_our_own_description_keeps_what_the_bot_sends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(describe_discord, "ROUTES", [POST])
    monkeypatch.setattr(describe_discord, "KEPT", ["Hello", "Size"])
    whole = discords_own_file(
        content={"type": "string", "title": "Content", "description": "What is said."},
        size={"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Size"}]},
        poll={"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Poll"}]},
    )
    sizes = {"type": "integer", "oneOf": [{"title": "Small", "const": 1}, {"const": 2}]}
    whole["components"]["schemas"] |= {"Size": sizes, "Poll": {"type": "object"}}
    ours = json.loads(describe_discord.text(whole))
    assert ours["about"] == "Hello, version 10"
    kept = Requests(ours)
    kept.check(POST, {}, {"content": "hello", "size": 2})
    wrong: Json
    for wrong in ({"size": 3}, {"poll": {}}, {"content": 7}):
        with pytest.raises(Problem):
            kept.check(POST, {}, wrong)
