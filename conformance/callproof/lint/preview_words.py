"""The words of previews in English: which line begins with a verb, and which line is English at all."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Za-z]+")


def words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case."""
    return tuple(each.lower() for each in _WORD.findall(text))


VERBS = frozenset(
    words(
        """
        abort accept activate add adjust align allow analyse analyze append apply approve archive arrange ask
        assign attach backup block book build calculate call cancel capitalise capitalize capture change check
        choose clean clear clone close collapse collect combine comment compare compile complete compose compress
        compute configure confirm connect convert copy correct count create crop cut decode decrease define
        delete deploy derive describe detect determine disable discard disconnect display divide do download
        draft draw drop duplicate echo edit email embed empty enable encode encrypt end ensure enter erase estimate
        evaluate examine exclude execute expand export extend extract fetch fill filter find finish fix flag
        focus follow format forward gather generate get give go group handle hide highlight hold identify ignore
        import improve include increase indent index inform insert inspect install invert invite join jump keep
        label launch learn leave link list load locate lock log look lower mail make map mark match measure merge
        minify modify mount move navigate normalise normalize notify obtain offer open order organise organize
        outline overwrite pack parse paste patch pause pick pin place plan play post prepare prepend preview
        print produce promote propose publish pull purge push put query queue quote raise rank read rebuild
        recalculate receive record redo reduce refactor refer reformat refresh register reject release reload
        remember remind remove rename render reorder reorganise reorganize repeat replace reply report request
        rerun reset resize resolve restart restore retrieve return revert review revise rewrite rotate round run
        save scan schedule scroll search see select send separate set share shorten show shrink shuffle sign
        simplify skip slice slugify snooze solve sort split stage start stop store strip submit subscribe suggest
        sum summarise summarize swap switch sync tag take tell test tidy toggle touch track transcribe transfer
        transform translate trash trim truncate turn type uncheck undo unfold ungroup unify uninstall unlink
        unlock unpack unpin unzip update upgrade upload uppercase use validate verify view visit wait warn watch
        wrap write zip
        """
    )
)
# Endings that make a verb of nearly any word.
_VERBAL = ("ify", "ise", "ize")
# Words that few other languages have.
_ENGLISH = frozenset(
    words(
        "and are at by each every file files folder for from into it its the their them then these this to where with"
    )
)


def is_english(text: str) -> bool:
    """Whether a line contains one of the commonest English words, or begins with an English verb in any form."""
    told = words(text)
    return bool(told) and (not _ENGLISH.isdisjoint(told) or told[0] in VERBS or base_form(told[0]) != "")


def is_verb(word: str) -> bool:
    """Whether a word, in lower case, is an imperative."""
    return word in VERBS or (len(word) > 5 and word.endswith(_VERBAL))


def base_form(word: str) -> str:
    """The verb whose other form a word is, such as create for creating; empty if there is none."""
    for ending in ("ing", "ed", "es", "s", "d"):
        stem = word.removesuffix(ending)
        if stem == word:
            continue
        for form in (stem, f"{stem}e", stem[:-1] if stem[-2:-1] == stem[-1:] else "", _with_y(stem)):
            if form in VERBS:
                return form
    return ""


def _with_y(stem: str) -> str:
    return f"{stem[:-1]}y" if stem.endswith("i") else ""
