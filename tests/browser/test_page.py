"""The page in headless Chromium, in both schemes: it is readable, fetches nothing, and hostile text in it
does nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from callproof.report.files import rendered
from callproof.report.targets import Form
from playwright.sync_api import Browser, Page, sync_playwright
from reports import hostile_log_report, hostile_report, log_report, report

from browser.chromium import CHROMIUM

SCHEMES = ("light", "dark")
_QUIET = ("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync")
# The contrast that WCAG 2.1 requires of text (AA).
_CONTRAST = 4.5

# The contrast of every piece of text on the page with its background.
_CONTRASTS = """() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, place) => sum + c * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const [r, g, b, a = 1] = channels(getComputedStyle(each).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  return [...document.querySelectorAll("main *, header *, nav *, footer *")]
    .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((each) => each.checkVisibility())
    .map((each) => {
      const style = getComputedStyle(each);
      const ink = light(channels(each.closest("svg") ? style.fill : style.color));
      const paper = light(behind(each));
      const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
      return [contrast, each.tagName, each.textContent.trim().slice(0, 40)];
    });
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, started once."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *_QUIET])
        yield started
        started.close()


class Opened:
    """A page that was opened from a file, with everything that it requested and complained about."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self.asked: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        page.goto(file.as_uri())


def opened(browser: Browser, folder: Path, made: dict[str, Any], scheme: str) -> Opened:
    """The page of a report in a fresh profile."""
    file = folder / "report.html"
    file.write_text(rendered(made, Form.HTML), encoding="utf-8")
    context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light")
    return Opened(context.new_page(), file)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    "made",
    [report(), hostile_report(), log_report(), hostile_log_report()],
    ids=["plain", "hostile", "log", "hostile log"],
)
def test_nothing_is_fetched_and_nothing_runs(
    browser: Browser, tmp_path: Path, made: dict[str, Any], scheme: str
) -> None:
    """There is one request, for the file itself; no console message, no dialog, and no script in the tree."""
    seen = opened(browser, tmp_path, made, scheme)
    assert seen.asked == [(tmp_path / "report.html").as_uri()]
    assert seen.complaints == []
    assert seen.page.locator("script, img, iframe, object, link, form").count() == 0
    assert re.fullmatch(r"callproof: violations: .*", seen.page.title())


def test_hostile_text_is_read_as_it_stands(browser: Browser, tmp_path: Path) -> None:
    """The element in the hostile text is shown as text, with its escapes spelled out."""
    page = opened(browser, tmp_path, hostile_report(), "light").page
    shown = page.locator("article dd").first.inner_text()
    assert '<script>document.title="owned"</script>' in shown
    assert "\\x1b[31m" in shown
    assert "\\u202e" in shown
    assert page.title() != "owned"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_landmarks_are_there(browser: Browser, tmp_path: Path, scheme: str) -> None:
    """A user of a screen reader goes from landmark to landmark and from heading to heading."""
    page = opened(browser, tmp_path, report(), scheme).page
    for role in ("banner", "navigation", "main", "contentinfo"):
        assert page.get_by_role(role).count() == 1, role
    assert page.get_by_role("heading", level=1).count() == 1
    levels = [int(name[1]) for name in page.locator("h1, h2, h3, h4").evaluate_all("all => all.map(e => e.tagName)")]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.get_by_role("img", name=re.compile("in the order of the wire")).count() == 1


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("made", [report(), log_report()], ids=["live", "log"])
def test_every_text_has_enough_contrast(browser: Browser, tmp_path: Path, made: dict[str, Any], scheme: str) -> None:
    """The contrast is AA of WCAG 2.1, in both schemes, with every part of the page unfolded."""
    page = opened(browser, tmp_path, made, scheme).page
    page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true; })")
    texts = page.evaluate(_CONTRASTS)
    assert len(texts) > 50
    assert [each for each in texts if each[0] < _CONTRAST] == []


def test_the_two_schemes_differ(browser: Browser, tmp_path: Path) -> None:
    """The page follows the preference of the reader's system."""
    papers = {
        opened(browser, tmp_path, report(), scheme).page.evaluate(
            "getComputedStyle(document.documentElement).backgroundColor"
        )
        for scheme in SCHEMES
    }
    assert len(papers) == len(SCHEMES)


def test_the_keyboard_is_enough(browser: Browser, tmp_path: Path) -> None:
    """The first stop is a link that skips to the report; a folded part opens with the keyboard."""
    page = opened(browser, tmp_path, report(), "light").page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    folded = page.locator("article details").first
    folded.locator("summary").focus()
    page.keyboard.press("Enter")
    assert folded.get_attribute("open") is not None


@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("made", [hostile_report(), hostile_log_report()], ids=["live", "log"])
def test_nothing_is_wider_than_the_window(browser: Browser, tmp_path: Path, made: dict[str, Any], width: int) -> None:
    """On a phone the tables scroll, but the page does not."""
    page = opened(browser, tmp_path, made, "light").page
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_finding_stands_at_its_place_in_the_picture_of_its_run(browser: Browser, tmp_path: Path) -> None:
    """The number is drawn over the bar of the call that proves it, within the picture, and links to the finding."""
    page = opened(browser, tmp_path, log_report(), "light").page
    frame = page.locator("svg.timeline").bounding_box()
    flag = page.locator("svg.timeline .flag a")
    ring, bars = page.locator("svg.timeline .ring").first.bounding_box(), page.locator("svg.timeline rect.bar")
    bar = bars.nth(1).bounding_box()
    assert frame is not None
    assert ring is not None
    assert bar is not None
    middle = (ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
    assert abs(middle[0] - bar["x"]) < 2
    assert bar["y"] <= middle[1] <= bar["y"] + bar["height"]
    assert frame["x"] <= ring["x"] <= frame["x"] + frame["width"]
    flag.click()
    assert page.url.endswith("#finding-1")
