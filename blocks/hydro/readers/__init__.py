"""Readers for results of panel and strip programs, as hydrodynamic data of one form."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

import xarray as xr

from blocks.binary.limits import Unreadable
from blocks.binary.netcdf import read_netcdf
from blocks.hydro.errors import HydroError
from blocks.hydro.files import load
from blocks.hydro.readers.capytaine import from_capytaine
from blocks.hydro.readers.hams import read_hams
from blocks.hydro.readers.nemoh import read_nemoh
from blocks.hydro.readers.veres import read_veres
from blocks.hydro.readers.wamit import read_wamit

__all__ = ["from_capytaine", "read_hams", "read_nemoh", "read_results", "read_veres", "read_wamit"]

_WAMIT = (".out", ".1", ".2", ".3", ".4", ".7", ".8", ".9", ".hst", ".frc")
_VERES = (".re1", ".re2", ".re7", ".re8", ".hyd")
_NEMOH = (".tec", ".cal")


def _netcdf(file: Path) -> xr.Dataset:
    """Our own data, or Capytaine's."""
    with contextlib.suppress(OSError, Unreadable):
        plain = read_netcdf(file)
        if "capytaine_version" in plain.attrs and "axes" not in plain.attrs:
            made = from_capytaine(plain, name=str(file))
            made.attrs["title"] = file.stem
            return made
    return load(file)


def read_results(path: str | Path, **options: Any) -> xr.Dataset:
    """Hydrodynamic data from what a program wrote, which the ending or the folder tells.

    .out, .1 to .9: WAMIT, or HAMS if the folder is its Output/Wamit_format; .re7 and the like: VERES; .cal, .tec:
    NEMOH; a folder: NEMOH or HAMS; .nc: data of this form, or Capytaine's own. options: those of the reader, `rho`,
    `phases`, `first_column`, `speed`.

    Raises HydroError if it is none of these, cannot be read, or has no such option.
    """
    file = Path(path)
    if not file.exists():
        raise HydroError(f"there is no {file}")
    reader = _reader(file)
    known = list(signature(reader).parameters)[1:]
    for name in options:
        if name not in known:
            raise HydroError(
                f"{file}: there is no option '{name}' for such results, which say all else themselves",
                code="unknown-parameter",
                wrong=name,
                valid=known,
            )
    return reader(file, **options)


def _reader(file: Path) -> Callable[..., xr.Dataset]:
    """By the ending, or by what is in the folder. Raises HydroError if it is of no program."""
    suffix = file.suffix.lower()
    if file.is_dir():
        if any(item.name.lower() == "nemoh.cal" for item in file.iterdir()):
            return read_nemoh
        if (file / "Input" / "ControlFile.in").is_file():
            return read_hams
        raise HydroError(f"{file} has neither Nemoh.cal nor Input/ControlFile.in: it is no folder of NEMOH or HAMS")
    if suffix == ".nc":
        return _netcdf
    if suffix in _NEMOH:
        return read_nemoh
    if suffix in _VERES:
        return read_veres
    if suffix == ".in" or (suffix in _WAMIT and file.parent.name == "Wamit_format"):
        return read_hams
    if suffix in _WAMIT:
        return read_wamit
    raise HydroError(
        f"{file}: results end in {', '.join((*_WAMIT[:6], *_VERES[:4], *_NEMOH, '.nc'))}, or are a folder of NEMOH "
        f"or HAMS"
    )
