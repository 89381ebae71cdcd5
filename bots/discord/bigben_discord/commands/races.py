"""``/bigben daily`` and ``/bigben race``."""

from discord import app_commands
from discord.app_commands import Choice

from bigben_chat import store
from bigben_discord.actions import races
from bigben_discord.commands.group import GROUP, RULES
from bigben_discord.commands.translator import text
from bigben_discord.interactions.answers import answering
from bigben_discord.interactions.editable_message import Interaction


@GROUP.command(name="daily", description=text("command.daily"))
@app_commands.describe(rules=text("option.rules"))
@app_commands.choices(rules=RULES)
async def daily(interaction: Interaction, rules: str = "") -> None:
    """Start today's race or go on with it."""
    chosen = rules or usual_rules(interaction)
    async with answering(interaction) as answer:
        await races.daily(answer, f"daily.{chosen}")


@GROUP.command(name="race", description=text("command.race"))
@app_commands.describe(
    rules=text("option.rules"),
    minutes=text("option.minutes"),
    who=text("option.who"),
    undo=text("option.undo"),
)
@app_commands.choices(
    rules=RULES,
    who=[
        Choice(name=text("who.everybody"), value="everybody"),
        Choice(name=text("who.here"), value="here"),
    ],
)
async def race(
    interaction: Interaction,
    rules: str = "",
    minutes: app_commands.Range[int, 1, 1440] = 60,
    who: str = "everybody",
    undo: bool = False,
) -> None:
    """Open a room."""
    async with answering(interaction, "public") as answer:
        await races.open_room(
            answer,
            rules=rules or usual_rules(interaction),
            minutes=minutes,
            undo=undo,
            invite_only=who == "here",
        )


def usual_rules(interaction: Interaction) -> str:
    """The rules that this guild plays by."""
    kept = interaction.client.memory.get("guild", interaction.guild_id or 0, store.Guild)
    return kept.rules if kept else "standard"
