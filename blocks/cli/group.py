"""The group of commands: how errors are shown, and what every command has."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

import click

from blocks.cli import console
from blocks.cli.interrupts import deaf, heed
from blocks.cli.problems import tell
from blocks.errors import KeelblocksError, PackageError, did_you_mean, shown
from blocks.packages import COMMANDS, Offer, named, reason

OK, BAD, INTERRUPTED = 0, 2, 130

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class Cli(click.Group):
    """Commands whose errors are shown as messages, never as tracebacks, with exit codes that scripts can use."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run, and leave with an exit code."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        stdout = sys.stdout
        try:
            with console.warnings_in_lines():
                code = self.carried_out(args, prog_name, complete_var, extra)
            sys.stdout.flush()
            deaf(said=code == INTERRUPTED)
        except click.ClickException as problem:
            self.explain(problem)
        except KeelblocksError as problem:
            tell(problem)
            sys.exit(BAD)
        except (KeyboardInterrupt, click.Abort):
            deaf(said=True)
            console.error("interrupted")
            sys.exit(INTERRUPTED)
        except BrokenPipeError:  # whoever reads the output has had enough of it
            _give_up_output(stdout)
            sys.exit(OK)
        except SystemExit as leaving:  # of a BrokenPipeError: rich leaves with 1, click besides exchanges sys.stdout
            if sys.stdout is stdout and not isinstance(leaving.__context__, BrokenPipeError):
                raise
            _give_up_output(stdout)
            sys.exit(OK)
        except OSError as problem:
            if problem.errno not in _FULL or problem.filename is not None:
                raise
            _give_up_output(stdout)
            console.error(f"cannot write to standard output: {problem.strerror}")
            sys.exit(BAD)
        sys.exit(code if isinstance(code, int) else OK)

    def carried_out(
        self, args: Sequence[str] | None, prog_name: str | None, complete_var: str | None, extra: dict[str, Any]
    ) -> Any:
        """What the command returns. As click's own main, which writes an empty line when it is interrupted."""
        arguments = sys.argv[1:] if args is None else list(args)
        name = prog_name or "keelblocks"
        self._main_shell_completion(extra, name, complete_var)
        try:
            with self.make_context(name, arguments, **extra) as context:
                heed()
                return self.invoke(context)
        except click.exceptions.Exit as leaving:
            return leaving.exit_code

    def explain(self, problem: click.ClickException) -> NoReturn:
        """Show what is wrong with the command line, and where help is."""
        message = problem.format_message()
        context = getattr(problem, "ctx", None)
        if context is not None:
            message += f"\nTry '{context.command_path} --help'."
        console.error(message)
        sys.exit(BAD)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant, or an error with the nearest one."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise click.UsageError(f"no command '{args[0]}'{did_you_mean(args[0], self.list_commands(ctx))}", ctx)
        return super().resolve_command(ctx, args)


class TopCli(Cli):
    """The group of all commands: its own, and those that packages bring."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, those that packages bring among them."""
        return sorted({*self.commands, *self.brought()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by its name. Packages are asked for those that are not here."""
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in self.brought():
            return own
        return _loaded(self.brought()[cmd_name])

    def brought(self) -> dict[str, Offer]:
        """The commands that packages bring."""
        return named(COMMANDS, self.commands)


def _loaded(offer: Offer) -> click.Command:
    """A command of a package, or one in its place that says why there is none."""
    try:
        command = offer.load()
        if not isinstance(command, click.Command):
            raise PackageError(f"{offer} must be a command of click, and is {shown(command)}")
    except PackageError as problem:
        return _UnavailableCommand(offer.name, problem)
    return command


class _UnavailableCommand(click.Command):
    """Stands for a command that cannot be loaded: listed with the others, and an error when it is given."""

    def __init__(self, name: str, problem: PackageError) -> None:
        super().__init__(name, short_help=f"Left out: {problem}", add_help_option=False)
        self.problem = problem

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Refuse, whatever the arguments are. Raises PackageError."""
        raise self.problem


def _give_up_output(stdout: IO[str]) -> None:
    """Send what is still to be written to standard output nowhere, so that leaving does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())


def common_options(function: Callable[..., Any]) -> TopCli:
    """Make a function the group of all commands."""
    decorated = click.option(
        "--import",
        "modules",
        multiple=True,
        metavar="MODULE",
        help="Import a Python module with blocks of your own first; can be given several times.",
        callback=_import,
        expose_value=False,
        is_eager=True,
    )(function)
    decorated = click.version_option(package_name="keelblocks", message="keelblocks %(version)s")(decorated)
    settings = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
    return click.group(cls=TopCli, context_settings=settings, invoke_without_command=True)(decorated)


def _import(ctx: click.Context, option: click.Parameter, modules: tuple[str, ...]) -> None:
    """Import modules from the folder in which the command was given, or from where Python finds them."""
    if modules and "" not in sys.path:
        sys.path.insert(0, "")
    for module in modules:
        try:
            _import_one(module)
        except KeelblocksError as problem:
            raise click.BadParameter(str(problem), ctx, option) from None
        except ImportError as problem:
            raise click.BadParameter(f"cannot import '{module}': {problem}", ctx, option) from None
        except (Exception, SystemExit) as problem:  # whatever the user's module raises
            raise click.BadParameter(f"cannot import '{module}': {reason(problem)}", ctx, option) from None


def _import_one(module: str) -> None:
    """Import a module; where the folder of a library's project has its name, the package in that."""
    folder = Path(module)
    if (folder / module / "__init__.py").is_file() and not (folder / "__init__.py").is_file():
        from blocks.libraries.loading import load_library

        load_library(module, Path())
    else:
        importlib.import_module(module)
