"""Discord's OAuth2: users let the application know who they are, and it exchanges their codes.

As Discord does it: a code works once, for the redirect and the challenge that it was made for.
"""

import hashlib
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.discord.standin.people import User
from tests.discord.standin.problems import NOT_FOUND, UNAUTHORIZED, Json, Problem

if TYPE_CHECKING:
    from tests.discord.standin.state import Call, State

SECRET: Final = "the application's client secret"
EXPIRES_S: Final = 604_800


class OAuthProblem(Problem):
    """A refusal in the form of RFC 6749, as the token's route has it."""

    def __init__(self, status: int, error: str, description: str = "") -> None:
        super().__init__(status, 0, error)
        self.body = {"error": error}
        if description:
            self.body["error_description"] = description


@dataclass(frozen=True)
class Grant:
    """What a user has allowed with a code."""

    user: User
    challenge: str
    redirect: str
    scope: str


class Logins:
    """Codes, access tokens, and who is meant by them."""

    def __init__(
        self, state: "State", application: str, owner: User, new_id: Callable[[], str]
    ) -> None:
        self.secret = SECRET
        self.redirects = ["https://127.0.0.1"]
        """Those that the operator has registered."""
        self._state = state
        self._application = application
        self._owner = owner
        self._new_id = new_id
        self._grants: dict[str, Grant] = {}
        self._users: dict[str, User] = {}
        """By their access tokens."""

    def authorize(
        self, user: User, challenge: str, redirect: str = "", scope: str = "identify"
    ) -> str:
        """The user agrees: the code that the page gets, at ``redirect`` or in its frame."""
        assert not redirect or redirect in self.redirects, "Invalid OAuth2 redirect_uri"
        code = f"code{self._new_id()}"
        self._grants[code] = Grant(user, challenge, redirect, scope)
        return code

    def user_of(self, access_token: str) -> User | None:
        """Whose access token this is."""
        return self._users.get(access_token)

    # Its routes

    def token(self, call: "Call") -> Json:
        """The access token for a code, or for the application itself."""
        form = call.body
        if self._client(call) != (self._application, self.secret):
            raise OAuthProblem(401, "invalid_client")
        match form.get("grant_type"):
            case "client_credentials":
                return self._granted(self._owner, form.get("scope", ""))
            case "authorization_code":
                return self._exchange(form)
            case _:
                raise OAuthProblem(400, "unsupported_grant_type")

    def me(self, call: "Call") -> Json:
        """The bot's account, or that of the user whose access token asks."""
        kind, _, token = call.authorization.partition(" ")
        if kind == "Bot":
            return self._state.me(call)
        if token not in self._users:
            raise UNAUTHORIZED
        user = self._users[token]
        return {**user.payload(), "mfa_enabled": False, "locale": user.locale}

    def instance(self, call: "Call") -> Json:
        """A frame of the application, and who is in it."""
        found = self._state.activities.instances.get(call.path["instance_id"])
        if found is None or call.path["application_id"] != self._application:
            raise NOT_FOUND
        return found.payload(self._application)

    # How

    def _client(self, call: "Call") -> tuple[str, str]:
        """Who asks: in the header, or in the body."""
        kind, _, rest = call.authorization.partition(" ")
        if kind == "Basic":
            name, _, secret = b64decode(rest).decode().partition(":")
            return name, secret
        return call.body.get("client_id", ""), call.body.get("client_secret", "")

    def _exchange(self, form: Json) -> Json:
        # Whatever becomes of it, a code is gone once it was tried.
        grant = self._grants.pop(form.get("code", ""), None)
        if grant is None:
            raise OAuthProblem(400, "invalid_grant", 'Invalid "code" in request.')
        if form.get("redirect_uri", "") != grant.redirect:
            raise OAuthProblem(400, "invalid_grant", 'Invalid "redirect_uri" in request.')
        if grant.challenge and _challenge(form.get("code_verifier", "")) != grant.challenge:
            raise OAuthProblem(400, "invalid_grant", 'Invalid "code_verifier" in request.')
        return self._granted(grant.user, grant.scope)

    def _granted(self, user: User, scope: str) -> Json:
        token = f"access{self._new_id()}"
        self._users[token] = user
        return {
            "access_token": token,
            "token_type": "Bearer",
            "expires_in": EXPIRES_S,
            "refresh_token": f"refresh{self._new_id()}",
            "scope": scope,
        }


def _challenge(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")
