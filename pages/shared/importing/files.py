"""Which files: dropped on the page, or read in place by their path."""

from pathlib import Path

import streamlit as st

from nearid_core.exchange import Mapping, read_mapping
from nearid_core.runs import RunStore, uploads
from pages.shared.wording import plain

GENERATION = "import_generation"  # counts up to make every field of the form a new one


def given_files(store: RunStore) -> tuple[list[Path], Mapping | None]:
    """The files to import, and the mapping where one of them is one."""
    left, right = st.columns(2, gap="large")
    dropped = left.file_uploader(
        "Drop files",
        accept_multiple_files=True,
        key=f"import_files_{generation()}",
        help="Embeddings and side tables: npy, npz, csv, tsv (also .gz), parquet, safetensors, h5ad. A mapping file "
        "(.toml) among them repeats an import.",
    )
    written = right.text_area(
        "Or paths on this machine, one a line",
        key=f"import_paths_{generation()}",
        height=122,
        placeholder="/data/profiles.parquet",
        help="For large files: they are read where they are, never as a whole, and never copied before the import.",
    )
    paths = [Path(line.strip()).expanduser() for line in (written or "").splitlines() if line.strip()]
    if dropped:
        paths += uploads.keep(store, [(one.file_id, one.name, one.getbuffer()) for one in dropped])
    mappings = [path for path in paths if path.suffix.lower() == ".toml"]
    if len(mappings) > 1:
        st.warning(f"{len(mappings)} mappings are given; {plain(mappings[0].name)} is used.", icon=":material/info:")
    tables = [path for path in paths if path not in mappings]
    return tables, read_mapping(mappings[0]) if mappings else None


def generation() -> int:
    return st.session_state.setdefault(GENERATION, 0)


def start_over() -> None:
    """Empty the form."""
    for name in [name for name in st.session_state if str(name).startswith("import_")]:
        if name != GENERATION:
            del st.session_state[name]
    st.session_state[GENERATION] = generation() + 1
