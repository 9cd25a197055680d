"""Selections of which no rule can find anything: the run would be green, and nothing would have been judged."""

from __future__ import annotations

from callproof.lint.configuring import WrongSetting
from callproof.lint.page import Page, pages
from callproof.lint.profiles.loading import profile
from callproof.lint.rule import all_rules, documents, steps
from callproof.lint.settings import Settings
from callproof.lint.sources.files import Gathered
from callproof.lint.wording import listed


def refuse_idle_rules(settings: Settings, read: Gathered) -> None:
    """Raises WrongSetting, with what the rules need, if none of the chosen ones can find anything in what was read."""
    if read.problems or not (read.found or read.plans):  # which the run reports itself
        return
    needing: dict[str, list[str]] = {}
    for page in pages().values():
        if settings.may_choose(page):
            needed = _needed(page, settings, read)
            if not needed:
                return
            exactly = page.id in settings.select or page.id in settings.extend_select
            needing.setdefault(needed, []).append(page.id if exactly else page.group)
    told = "; ".join(f"for {listed(dict.fromkeys(names), 20)} {needed}" for needed, names in needing.items())
    raise WrongSetting(f"none of the chosen rules can find anything here: {told}")


def _needed(page: Page, settings: Settings, read: Gathered) -> str:
    """What to do before a rule can find anything, in words that follow its id; empty if it needs nothing more."""
    if page.group == "BRK":
        return "use `callproof breaking`"
    if page.group == "SUP":
        return "" if settings.suppressions else "write suppressions into the settings"
    subjects = next((each.each for each in all_rules() if each.id == page.id), None)
    if subjects is steps:
        return "" if read.plans else "give a plan with --plan"
    if subjects is not documents and not read.found:
        return "give a file with tools"
    if page.group == "PORT" and not any(profile(each).limits for each in settings.profiles):
        return "choose a provider or a protocol, as in --profile openai"
    return ""
