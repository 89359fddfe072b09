"""A preview of an import on the terminal. What comes from a file is shown so that it cannot move the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nearid_core.jsonable import jsonable

if TYPE_CHECKING:
    from nearid_core.exchange import Preview

_WIDTH = 24  # characters of a cell
_COLUMNS = 8


def printable(text: object) -> str:
    """With every control character, and every sign that changes the direction of writing, written out."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in str(text))


def report(preview: Preview) -> str:
    parts = [_facts(preview), _table(preview)]
    parts += [f"Join: {printable(join)}" for join in preview.joins]
    parts += [f"{problem.kind} ({problem.action}): {printable(problem.message)}" for problem in preview.problems]
    return "\n".join(parts)


def to_add(preview: Preview) -> list[str]:
    """What the next command line has to say, one sentence each."""
    sentences = list(preview.missing)
    for problem in preview.problems:
        if problem.stops:
            choices = [choice for choice in problem.choices if choice != problem.action]
            flags = [_flag(problem.kind, choice) for choice in choices] or ["another file or mapping"]
            sentences.append(f"{problem.kind}: add {' or '.join(flags)}.")
    return sentences


def described(preview: Preview) -> dict[str, Any]:
    from nearid_core.exchange.mapping_toml import mapping_to_toml

    return jsonable(
        {
            "ready": preview.ready,
            "kind": preview.kind,
            "runs": preview.runs,
            "layers": preview.layers,
            "mapping": mapping_to_toml(preview.mapping),
            "guessed": preview.guessed,
            "joins": [vars(join) for join in preview.joins],
            "problems": [{**vars(problem), "choices": problem.choices} for problem in preview.problems],
            "missing": preview.missing,
        }
    )


def _flag(kind: str, choice: str) -> str:
    name = kind.replace("_", "-")
    if choice.startswith("drop "):
        return f"--drop {name}-{choice.removeprefix('drop ')}"
    return f"--keep {name}" if choice == "keep" else f"--choose {name}={choice}"


def _facts(preview: Preview) -> str:
    layers = ", ".join(f"{printable(name)} ({n:,} x {width:,})" for name, (n, width) in preview.layers.items())
    runs = (
        f"{len(preview.runs)} runs: {', '.join(map(printable, preview.runs))}" if preview.kind == "runs" else "a table"
    )
    roles = preview.columns[~preview.columns["role"].isin(["", "feature"])]
    named = ", ".join(f"{printable(row.column)} ({row.role})" for row in roles.itertuples())
    how = "guessed; correct it with --save-mapping, or with options" if preview.guessed else "as given"
    return f"{runs}; layers {layers}\nColumns, {how}: {named or 'none has a role'}"


def _table(preview: Preview) -> str:
    shown = preview.rows.iloc[:5, :_COLUMNS]
    cells = shown.map(lambda value: printable(f"{value:.4g}" if isinstance(value, float) else value)[:_WIDTH])
    return cells.set_axis([printable(name)[:_WIDTH] for name in cells.columns], axis=1).to_string(index=False)
