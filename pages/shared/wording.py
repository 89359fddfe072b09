"""Numbers and times as text, the same on every page."""

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st


def plain(text: str) -> str:
    """Text that Markdown leaves alone; an address in it is no link, which escaping alone does not prevent."""
    unlinked = re.sub(r"(?i)(https?:|ftp:|mailto:|www)(?=//|\.|\w)", "\\1\u2060", text)
    return re.sub(r"([\\`*_\[\]$~#|<>:])", r"\\\1", unlinked)


def duration(seconds: float | None) -> str:
    """ "8 s", "2 min 10 s", "3 h 5 min"; a dash where it is unknown."""
    if seconds is None or not math.isfinite(seconds):
        return "–"
    if seconds < 10:
        return f"{seconds:.1f} s" if seconds >= 0.05 else "under 0.1 s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def count(number: int, noun: str, plural: str | None = None) -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def megabytes(size: int) -> str:
    """A file's size in bytes, as MB; kB where it is small."""
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"


def number(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else "–"


def percent(value: float) -> str:
    return f"{value:.0%}" if math.isfinite(value) else "–"


def interval(value: float, low: float, high: float, form: Callable[[float], str] = number) -> str:
    """A number with its 95% interval, or alone where there is none."""
    if not math.isfinite(low) or not math.isfinite(high):
        return form(value)
    return f"{form(value)} [{form(low)}, {form(high)}]"


def moment(text: str) -> datetime | None:
    """An ISO 8601 text as a time; None where it is empty."""
    return datetime.fromisoformat(text) if text else None


def when(then: datetime | None) -> str:
    """A time in the reader's own time zone."""
    if then is None:
        return "–"
    offset = st.context.timezone_offset
    local = then.astimezone() if offset is None else datetime.fromtimestamp(then.timestamp() - 60 * offset, UTC)
    return f"{local:%d %b %Y, %H:%M}"
