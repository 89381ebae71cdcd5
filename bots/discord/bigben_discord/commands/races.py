"""``/bigben daily`` and ``/bigben race``."""

from discord import app_commands
from discord.app_commands import Choice

from bigben_discord.actions import races
from bigben_discord.client import BotInteraction
from bigben_discord.commands.group import GROUP, RULES
from bigben_discord.commands.translator import text
from bigben_discord.records import Guild


@GROUP.command(name="daily", description=text("command.daily"))
@app_commands.describe(rules=text("option.rules"))
@app_commands.choices(rules=RULES)
async def daily(interaction: BotInteraction, rules: str = "") -> None:
    """Start or continue today's race."""
    chosen = rules or usual_rules(interaction)
    async with interaction.client.answers.to(interaction) as answer:
        await races.daily(interaction.client, answer, f"daily.{chosen}")


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
    interaction: BotInteraction,
    rules: str = "",
    minutes: app_commands.Range[int, 1, 1440] = 60,
    who: str = "everybody",
    undo: bool = False,
) -> None:
    """Open a room."""
    async with interaction.client.answers.to(interaction, "public") as answer:
        await races.open_room(
            interaction.client,
            answer,
            rules=rules or usual_rules(interaction),
            minutes=minutes,
            undo=undo,
            invite_only=who == "here",
        )


def usual_rules(interaction: BotInteraction) -> str:
    """The rules that this guild plays by."""
    guild = interaction.client.store.get("guild", interaction.guild_id or 0, Guild)
    return guild.rules if guild else "standard"
