"""MNIST from IDX files: what they hold, to the pixel; what they lie about, refused."""

from __future__ import annotations

import gzip
import os
import struct
from pathlib import Path

import numpy as np
import pytest

import nearid_core as nid
from nearid_core.datasets import mnist

REAL = Path(os.environ.get("NEARID_TEST_DATA", Path(__file__).parents[3] / "shared" / "data")) / "mnist"


def idx(array: np.ndarray, magic: int) -> bytes:
    return struct.pack(f">i{array.ndim}i", magic, *array.shape) + array.tobytes()


def write_part(folder: Path, part: str, n: int = 40, *, gz: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Images that are random and labels that count, as files; and the arrays."""
    images = np.random.default_rng(n).integers(0, 256, (n, 28, 28), dtype=np.uint8)
    labels = (np.arange(n) % 10).astype(np.uint8)
    folder.mkdir(exist_ok=True)
    for what, array, magic, dimensions in (("images", images, 2051, 3), ("labels", labels, 2049, 1)):
        data = idx(array, magic)
        name = f"{part}-{what}-idx{dimensions}-ubyte"
        (folder / (f"{name}.gz" if gz else name)).write_bytes(gzip.compress(data) if gz else data)
    return images, labels


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "mnist"


@pytest.mark.parametrize("gz", [True, False])
def test_the_pixels_are_those_of_the_file_scaled_to_one(folder: Path, gz: bool) -> None:
    images, labels = write_part(folder, "t10k", gz=gz)
    dataset = nid.load_dataset("mnist", path=str(folder))
    assert dataset.images is not None
    assert dataset.images.dtype == np.float32
    np.testing.assert_array_equal(np.rint(dataset.images[:, 0] * 255), images)
    assert dataset.samples["digit"].tolist() == labels.tolist()
    assert dataset.samples["sample_id"].tolist()[:2] == ["t10k-00000", "t10k-00001"]


def test_with_both_parts_the_test_part_is_held_back(folder: Path) -> None:
    write_part(folder, "train", 60)
    write_part(folder, "t10k", 40)
    dataset = nid.load_dataset("mnist", path=str(folder))
    assert dataset.samples["split"].tolist() == ["train"] * 60 + ["test"] * 40
    assert nid.load_dataset("mnist", n=30, path=str(folder)).features.shape == (30, 784)


def test_one_part_alone_is_split_by_its_ids(folder: Path) -> None:
    write_part(folder, "t10k", 40)
    samples = nid.load_dataset("mnist", path=str(folder)).samples
    assert (samples["split"] == "test").sum() == round(40 * mnist.TEST_SHARE)
    part = nid.load_dataset("mnist", n=20, path=str(folder)).samples
    whole = samples.set_index("sample_id")["split"]
    assert part["split"].tolist() == whole[part["sample_id"]].tolist(), "a sample stays on its side"


def test_names_with_a_dot_are_found(folder: Path) -> None:
    write_part(folder, "t10k", gz=False)
    for path in list(folder.iterdir()):
        path.rename(folder / path.name.replace("-idx", ".idx"))
    assert len(nid.load_dataset("mnist", path=str(folder))) == 40


def test_the_real_test_part_has_its_known_counts() -> None:
    if not REAL.is_dir():
        pytest.skip(f"the files of MNIST are not in {REAL}")
    dataset = nid.load_dataset("mnist", path=str(REAL))
    assert dataset.features.shape == (10_000, 784)
    counts = dataset.samples["digit"].value_counts().sort_index().tolist()
    assert counts == [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]  # of the published test set
    assert dataset.samples["digit"].tolist()[:5] == [7, 2, 1, 0, 4]
    assert dataset.features.mean() == pytest.approx(0.1325, abs=1e-4)


LIES = {
    "other magic": (idx(np.zeros((40, 28, 28), np.uint8), 2049), "begins with 2049; expected 2051"),
    "cut off": (
        idx(np.zeros((40, 28, 28), np.uint8), 2051)[:-1],
        "holds 31,359 bytes of numbers, its header says 31,360",
    ),
    "too long": (idx(np.zeros((40, 28, 28), np.uint8), 2051) + b"x", "holds 31,361 bytes"),
    "huge": (struct.pack(">4i", 2051, 2**31 - 1, 28, 28), "which no set of small images has"),
    "huge side": (struct.pack(">4i", 2051, 40, 2**30, 1), "which no set of small images has"),
    "large and absent": (struct.pack(">4i", 2051, 5_000_000, 28, 28), "holds 0 bytes of numbers"),
    "header only": (struct.pack(">2i", 2051, 40), "is cut off in its header"),
    "empty": (b"", "begins with 0"),
    "text": (b"<html>not found</html>", "expected 2051"),
}


@pytest.mark.parametrize("gz", [True, False])
@pytest.mark.parametrize(("data", "message"), LIES.values(), ids=LIES.keys())
def test_a_file_that_lies_is_one_sentence(folder: Path, data: bytes, message: str, gz: bool) -> None:
    write_part(folder, "t10k", gz=gz)
    path = folder / ("t10k-images-idx3-ubyte.gz" if gz else "t10k-images-idx3-ubyte")
    path.write_bytes(gzip.compress(data) if gz else data)
    with pytest.raises(nid.UnsupportedFormat, match=message):
        nid.load_dataset("mnist", path=str(folder))


def test_broken_gzip_is_one_sentence(folder: Path) -> None:
    write_part(folder, "t10k")
    path = folder / "t10k-images-idx3-ubyte.gz"
    path.write_bytes(path.read_bytes()[:-500])
    with pytest.raises(nid.UnsupportedFormat, match="gzip data breaks off"):
        nid.load_dataset("mnist", path=str(folder))


def test_a_gzip_bomb_stops_at_what_its_header_declares(folder: Path) -> None:
    write_part(folder, "t10k")
    bomb = gzip.compress(struct.pack(">4i", 2051, 40, 28, 28) + bytes(64 << 20))
    (folder / "t10k-images-idx3-ubyte.gz").write_bytes(bomb)
    with pytest.raises(nid.UnsupportedFormat, match="holds 1,048,576 bytes of numbers, its header says 31,360"):
        nid.load_dataset("mnist", path=str(folder))


def test_images_without_their_labels_name_what_is_missing(folder: Path) -> None:
    write_part(folder, "t10k")
    (folder / "t10k-labels-idx1-ubyte.gz").unlink()
    with pytest.raises(nid.InvalidInput, match="without the labels"):
        nid.load_dataset("mnist", path=str(folder))


def test_a_label_too_few_is_named(folder: Path) -> None:
    write_part(folder, "t10k")
    (folder / "t10k-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(np.zeros(39, np.uint8), 2049)))
    with pytest.raises(nid.InvalidInput, match="40 images and 39 labels"):
        nid.load_dataset("mnist", path=str(folder))


def test_without_files_openml_is_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    images, labels = np.zeros((30, 28, 28), np.uint8), np.arange(30).astype(np.uint8) % 10
    parts = [mnist.Part("train", images[:20], labels[:20]), mnist.Part("t10k", images[20:], labels[20:])]
    monkeypatch.setattr(mnist, "FOLDER", folder)
    monkeypatch.setattr(mnist, "_fetch", lambda: parts)
    assert nid.load_dataset("mnist").samples["split"].tolist() == ["train"] * 20 + ["test"] * 10


def test_without_files_and_network_the_sentence_says_where_to_put_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offline() -> None:
        raise OSError("no route to host")

    monkeypatch.setattr(mnist, "FOLDER", folder)
    monkeypatch.setattr(mnist, "_fetch", offline)
    with pytest.raises(nid.InvalidInput, match=r"put t10k-images-idx3-ubyte\.gz .* \(no route to host\)") as refusal:
        nid.load_dataset("mnist")
    assert str(folder) in str(refusal.value)


def test_a_path_that_was_given_is_not_replaced_by_a_download(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mnist, "_fetch", lambda: pytest.fail("asked OpenML"))
    with pytest.raises(nid.InvalidInput, match="There is no MNIST in"):
        nid.load_dataset("mnist", path=str(folder))


def test_more_digits_than_there_are_is_one_sentence(folder: Path) -> None:
    write_part(folder, "t10k")
    with pytest.raises(nid.InvalidInput, match="n is 41 and MNIST has 40 digits here"):
        nid.load_dataset("mnist", n=41, path=str(folder))
