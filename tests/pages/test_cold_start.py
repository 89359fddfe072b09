"""The first page is painted soon: what computes is not loaded to show what was computed."""

import subprocess
import sys

from nearid_core.runs import RunStore
from tests.pages.conftest import APP

HEAVY = ("torch", "umap", "numba", "scipy", "sklearn")

SCRIPT = """
import sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file(sys.argv[1], default_timeout=60).run()
assert not app.exception
assert app.get("plotly_chart")
print(*(name for name in sys.argv[2:] if name in sys.modules))
"""


def test_overview_with_a_figure_loads_nothing_heavy(compared: RunStore) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(APP), *HEAVY], capture_output=True, text=True, cwd=APP.parent, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
