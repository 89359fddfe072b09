"""The public image sets, from small files in the formats of the published ones: to the pixel, lazily, or refused."""

from __future__ import annotations

import io
import math
import pickle
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from PIL import Image

import nearid_core as nid
from nearid_core.datasets import _public_hdf5, _public_npz, _public_png, public
from nearid_core.datasets._public_file import grid
from nearid_core.datasets.area import area_mean
from nearid_core.datasets.dataset import Dataset

NAMES = ("dsprites", "shapes3d", "mpi3d", "falcor3d", "isaac3d")
SIZES = {  # small ones, by the published names
    "dsprites": dict(zip(_public_npz.DSPRITES, (3, 2, 4, 3, 2), strict=True)),
    "shapes3d": dict(zip(_public_hdf5.SHAPES3D, (3, 2, 3, 2, 4, 3), strict=True)),
    "mpi3d": dict(zip(_public_npz.MPI3D, (3, 3, 2, 3, 3, 2, 2), strict=True)),
    "falcor3d": dict(zip(_public_png.FALCOR3D, (3, 2, 2, 2, 2, 2, 2), strict=True)),
    "isaac3d": dict(zip(_public_png.ISAAC3D, (3, 2, 2, 2, 2, 2, 1, 1, 2), strict=True)),
}
HOMES = {
    "dsprites": (_public_npz, "DSPRITES"),
    "shapes3d": (_public_hdf5, "SHAPES3D"),
    "mpi3d": (_public_npz, "MPI3D"),
    "falcor3d": (_public_png, "FALCOR3D"),
    "isaac3d": (_public_png, "ISAAC3D"),
}


class Bomb:
    """Unpickling one creates a file."""

    def __init__(self, at: Path) -> None:
        self.at = at

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return Path.touch, (self.at,)


def npy(array: np.ndarray) -> bytes:
    written = io.BytesIO()
    np.lib.format.write_array(written, array, allow_pickle=False)
    return written.getvalue()


def write_npz(path: Path, compression: int, **members: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return path


def random_images(name: str, channels: int, side: int) -> np.ndarray:
    total = math.prod(SIZES[name].values())
    top = 2 if name == "dsprites" else 256
    return np.random.default_rng(0).integers(0, top, (total, side, side, channels), dtype=np.uint8)


def write_dsprites(folder: Path, compression: int = zipfile.ZIP_DEFLATED) -> np.ndarray:
    """With the pickle that the published file has beside the images, and that must not be opened."""
    images, codes = random_images("dsprites", 1, 64), grid(SIZES["dsprites"])
    classes = np.column_stack([np.zeros(len(codes), np.int64), codes])
    header = npy(np.zeros((), "<f8")).replace(b"'<f8'", b"'|O' ")
    members = {
        "metadata": header[:-8] + pickle.dumps(Bomb(folder / "went-off")),
        "imgs": npy(images[..., 0]),
        "latents_classes": npy(classes),
        "latents_values": npy(classes.astype(float)),
    }
    write_npz(folder / "dsprites" / public.DSPRITES.files[0], compression, **members)
    return images


def write_mpi3d(folder: Path, compression: int = zipfile.ZIP_STORED) -> np.ndarray:
    images = random_images("mpi3d", 3, 64)
    write_npz(folder / "mpi3d" / "mpi3d_toy.npz", compression, images=npy(images))
    return images


def write_shapes3d(folder: Path, **storage: Any) -> np.ndarray:
    images, codes = random_images("shapes3d", 3, 64), grid(SIZES["shapes3d"])
    values = codes * [0.1, 0.1, 0.1, 0.07, 1, 4.3] + [0, 0, 0, 0.75, 0, -30]
    (folder / "shapes3d").mkdir(exist_ok=True)
    with h5py.File(folder / "shapes3d" / "3dshapes.h5", "w") as file:
        file.create_dataset("images", data=images, **storage)
        file.create_dataset("labels", data=values)
    return images


def write_folder(folder: Path, name: str, labels: str) -> np.ndarray:
    images, codes = random_images(name, 3, 16), grid(SIZES[name])
    home = folder / name / f"{name[:-2].capitalize()}3D_down128"
    (home / "images").mkdir(parents=True, exist_ok=True)
    for row, image in enumerate(images):
        Image.fromarray(image).save(home / "images" / f"{row:06d}.png")
    (home / labels).write_bytes(npy((codes / 5).astype(np.float32)))
    return images


WRITERS: dict[str, Callable[[Path], np.ndarray]] = {
    "dsprites": write_dsprites,
    "shapes3d": write_shapes3d,
    "mpi3d": write_mpi3d,
    "falcor3d": lambda folder: write_folder(folder, "falcor3d", "train-rec.labels"),
    "isaac3d": lambda folder: write_folder(folder, "isaac3d", "labels.npy"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder, and factors of few values."""
    monkeypatch.setattr(public, "FOLDER", tmp_path)
    for name, (module, constant) in HOMES.items():
        monkeypatch.setattr(module, constant, SIZES[name])
    return tmp_path


def rows_of(dataset: Dataset) -> np.ndarray:
    return dataset.samples["sample_id"].str.rsplit("-", n=1).str[1].astype(int).to_numpy()


@pytest.mark.parametrize("name", NAMES)
def test_the_published_factors_have_the_published_number_of_images(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    published = {"dsprites": 737_280, "shapes3d": 480_000, "mpi3d": 1_036_800, "falcor3d": 233_280, "isaac3d": 737_280}
    module, constant = HOMES[name]
    assert math.prod(getattr(module, constant).values()) == published[name]
    assert f"{published[name]:,}" in next(one for one in public.DATASETS if one.name == name).description


@pytest.mark.parametrize("name", NAMES)
def test_images_and_factors_are_those_of_the_file(name: str, folder: Path) -> None:
    images = WRITERS[name](folder)
    side = images.shape[1]
    dataset = nid.load_dataset(name, n=40, seed=3, resolution=side)
    rows = rows_of(dataset)
    assert (np.diff(rows) > 0).all()
    assert dataset.images is not None
    white = 1 if name == "dsprites" else 255
    np.testing.assert_array_equal(np.rint(dataset.images * white), np.moveaxis(images[rows], -1, 1))
    assert dataset.factor_names == tuple(SIZES[name])
    np.testing.assert_array_equal(dataset.samples[list(SIZES[name])], grid(SIZES[name])[rows])
    assert dataset.label is None
    assert (dataset.samples["split"] == "test").sum() == 18


@pytest.mark.parametrize("name", NAMES)
def test_a_lower_resolution_is_the_mean_of_the_area(name: str, folder: Path) -> None:
    images = WRITERS[name](folder)
    dataset = nid.load_dataset(name, n=30, resolution=8)
    assert dataset.images is not None
    expected = area_mean(images[rows_of(dataset)], 8) / images.max()
    np.testing.assert_allclose(dataset.images, expected, atol=1e-5)
    assert dataset.image_shape == (images.shape[3], 8, 8)


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("write", [write_dsprites, write_mpi3d])
def test_archives_read_alike_compressed_or_not(
    folder: Path, write: Callable[[Path, int], np.ndarray], compression: int
) -> None:
    images = write(folder, compression)
    dataset = nid.load_dataset("dsprites" if write is write_dsprites else "mpi3d", n=50, resolution=64)
    expected = np.moveaxis(images[rows_of(dataset)], -1, 1) / images.max()
    np.testing.assert_allclose(dataset.images, expected, atol=1e-6)


@pytest.mark.parametrize(
    "storage", [{}, {"chunks": (1, 64, 64, 3)}, {"chunks": (50, 32, 32, 1), "compression": "gzip"}], ids=str
)
def test_hdf5_reads_alike_however_it_is_chunked(folder: Path, storage: dict[str, Any]) -> None:
    images = write_shapes3d(folder, **storage)
    dataset = nid.load_dataset("shapes3d", n=60, resolution=64)
    np.testing.assert_allclose(dataset.images, np.moveaxis(images[rows_of(dataset)], -1, 1) / 255, atol=1e-6)


def test_the_pickle_in_dsprites_is_never_opened(folder: Path) -> None:
    write_dsprites(folder)
    with (
        np.load(folder / "dsprites" / public.DSPRITES.files[0]) as plain,
        pytest.raises(ValueError, match="allow_pickle"),
    ):
        plain["metadata"]
    nid.load_dataset("dsprites", n=20)
    assert not (folder / "went-off").exists()


def test_more_images_contain_the_fewer_and_seeds_draw_others(folder: Path) -> None:
    write_dsprites(folder)
    few, more, other = (nid.load_dataset("dsprites", n=n, seed=seed) for n, seed in ((30, 0), (60, 0), (30, 1)))
    assert set(rows_of(few)) < set(rows_of(more))
    assert set(rows_of(few)) != set(rows_of(other))
    assert few.digest == nid.load_dataset("dsprites", n=30).digest


def test_rows_are_read_without_the_rest_in_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = SIZES["mpi3d"] | {"vertical_axis": 50}
    monkeypatch.setattr(_public_npz, "MPI3D", sizes)
    total = math.prod(sizes.values())
    size = total * 64 * 64 * 3
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        noise = np.random.default_rng(0).integers(0, 256, 64 * 64 * 3, dtype=np.uint8)
        images = np.broadcast_to(noise.reshape(64, 64, 3), (total, 64, 64, 3))
        write_npz(folder / "mpi3d" / "mpi3d_toy.npz", compression, images=npy(images))
        tracemalloc.start()
        nid.load_dataset("mpi3d", n=50)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert size > 150 << 20
        assert peak < 40 << 20


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_not_there_says_which_file_to_put_where(name: str, folder: Path) -> None:
    source = next(one for one in public.DATASETS if one.name == name)
    with pytest.raises(nid.InvalidInput) as refusal:
        nid.load_dataset(name)
    assert f"in {folder / name}: put {source.files[0]}" in str(refusal.value)  # type: ignore[attr-defined]
    assert "data/README.md" in str(refusal.value)
    with pytest.raises(nid.InvalidInput, match=rf"There is no /nowhere/file: set path to where {source.files[0]}"):  # type: ignore[attr-defined]
        nid.load_dataset(name, path="/nowhere/file")


@pytest.mark.parametrize("name", NAMES)
def test_a_path_may_be_the_file_or_the_folder_that_it_is_in(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    WRITERS[name](folder)
    usual = nid.load_dataset(name, n=20, resolution=8)
    monkeypatch.setattr(public, "FOLDER", folder / "elsewhere")
    itself = next((folder / name).iterdir())
    for path in (itself, itself.parent):
        assert nid.load_dataset(name, n=20, resolution=8, path=str(path)).digest == usual.digest


@pytest.mark.parametrize("name", NAMES)
def test_asking_for_more_than_there_is_is_one_sentence(name: str, folder: Path) -> None:
    images = WRITERS[name](folder)
    with pytest.raises(nid.InvalidInput, match=rf"n is 5000 and .* has {len(images)} images; ask for fewer"):
        nid.load_dataset(name, n=5000)
    with pytest.raises(nid.InvalidInput, match=rf"resolution is 100 .* have {images.shape[1]} pixels a side"):
        nid.load_dataset(name, n=20, resolution=100)


@pytest.mark.parametrize("name", ["dsprites", "shapes3d", "mpi3d"])
@pytest.mark.parametrize("content", [b"", b"<html>not found</html>", b"PK\x03\x04" + b"\0" * 100, b"\x89HDF\r\n\x1a\n"])
def test_another_file_under_the_name_is_one_sentence(name: str, folder: Path, content: bytes) -> None:
    path = folder / "file"
    path.write_bytes(content)
    with pytest.raises(nid.UnsupportedFormat, match="file is cut off or damaged"):
        nid.load_dataset(name, path=str(path))


@pytest.mark.parametrize("name", ["dsprites", "shapes3d", "mpi3d"])
def test_a_file_cut_off_is_one_sentence(name: str, folder: Path) -> None:
    WRITERS[name](folder)
    path = next((folder / name).iterdir())
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(nid.UnsupportedFormat, match="is cut off or damaged"):
        nid.load_dataset(name)


@pytest.mark.parametrize("name", ["dsprites", "mpi3d"])
def test_an_archive_of_something_else_says_what_it_lacks(name: str, folder: Path) -> None:
    path = write_npz(folder / "other.npz", zipfile.ZIP_DEFLATED, embedding=npy(np.zeros((4, 3))))
    with pytest.raises(nid.UnsupportedFormat, match=r"other.npz holds no array 'ima?ge?s', only embedding"):
        nid.load_dataset(name, path=str(path))


def test_images_of_another_shape_say_what_was_expected(folder: Path) -> None:
    path = write_npz(folder / "other.npz", zipfile.ZIP_STORED, images=npy(np.zeros((30, 32, 32, 3), np.uint8)))
    with pytest.raises(nid.UnsupportedFormat, match=r"have shape \(30, 32, 32, 3\) and type uint8; the published ones"):
        nid.load_dataset("mpi3d", path=str(path))


def test_an_archive_that_unpacks_to_far_more_is_refused(folder: Path) -> None:
    path = write_npz(folder / "bomb.npz", zipfile.ZIP_DEFLATED, images=npy(np.zeros(100 << 20, np.uint8)))
    with pytest.raises(nid.UnsupportedFormat, match="says that it unpacks to"):
        nid.load_dataset("mpi3d", path=str(path))


def test_mpi3d_of_everyday_objects_is_told_by_its_number_of_images(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = SIZES["mpi3d"] | {"object_color": 2, "object_shape": 2}
    monkeypatch.setattr(_public_npz, "MPI3D_COMPLEX", few)
    total = math.prod(few.values())
    path = folder / "mpi3d" / "mpi3d_real_complex.npz"
    write_npz(path, zipfile.ZIP_STORED, images=npy(random_images("mpi3d", 3, 64)[:total]))
    samples = nid.load_dataset("mpi3d", n=total).samples
    assert samples["object_shape"].nunique() == 2
    np.testing.assert_array_equal(samples[list(few)], grid(few))


def test_factors_of_other_sizes_are_refused_by_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(folder, "falcor3d", "train-rec.labels")
    monkeypatch.setattr(_public_png, "FALCOR3D", SIZES["falcor3d"] | {"camera_y": 6})
    with pytest.raises(nid.UnsupportedFormat, match="has 2 values of camera_y; the published file has 6"):
        nid.load_dataset("falcor3d")


def test_a_combination_twice_is_refused(folder: Path) -> None:
    write_shapes3d(folder)
    with h5py.File(folder / "shapes3d" / "3dshapes.h5", "r+") as file:
        file["labels"][0] = file["labels"][1]
    with pytest.raises(nid.UnsupportedFormat, match=r"has 432 images of 431 combinations .* each of 432 once"):
        nid.load_dataset("shapes3d")


def test_hdf5_that_points_to_another_file_is_not_followed(folder: Path) -> None:
    write_shapes3d(folder)
    path = folder / "shapes3d" / "3dshapes.h5"
    with h5py.File(path, "r+") as file:
        del file["labels"]
        file["labels"] = h5py.ExternalLink("/etc/other.h5", "labels")
    with pytest.raises(nid.UnsupportedFormat, match="labels points to another file"):
        nid.load_dataset("shapes3d")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda image: image.unlink(), "is not there; expected an image for each row"),
        (lambda image: image.write_bytes(b"GIF89a" + b"\0" * 50), "is no PNG image"),
        (lambda image: image.write_bytes(image.read_bytes()[:200]), "is cut off or damaged"),
        (lambda image: Image.new("RGB", (9, 9)).save(image), "has 9 x 9 pixels, and the first image 16"),
    ],
    ids=["missing", "no png", "cut off", "another size"],
)
def test_an_image_that_is_missing_or_wrong_is_named(folder: Path, change: Callable[[Path], Any], message: str) -> None:
    images = write_folder(folder, "isaac3d", "labels.npy")
    change(folder / "isaac3d" / "Isaac3D_down128" / "images" / "000007.png")
    with pytest.raises(nid.UnsupportedFormat, match=rf"000007.png {message}"):
        nid.load_dataset("isaac3d", n=len(images), resolution=16)


def test_labels_that_are_objects_or_missing_are_refused(folder: Path) -> None:
    write_folder(folder, "isaac3d", "labels.npy")
    labels = folder / "isaac3d" / "Isaac3D_down128" / "labels.npy"
    header = npy(np.zeros((), "<f8")).replace(b"'<f8'", b"'|O' ")
    labels.write_bytes(header[:-8] + pickle.dumps(Bomb(folder / "went-off")))
    with pytest.raises(nid.UnsupportedFormat, match="holds Python objects"):
        nid.load_dataset("isaac3d")
    labels.unlink()
    with pytest.raises(nid.UnsupportedFormat, match=r"labels\.npy cannot be read"):
        nid.load_dataset("isaac3d")
    assert not (folder / "went-off").exists()
