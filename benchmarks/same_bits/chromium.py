"""The runner as a module of WebAssembly, in a browser without a window: the page fetches jobs and posts results."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

PAGE = Path(__file__).with_name("page.html")
PATIENCE = 300.0
"""s, for all jobs."""


class BrowserError(Exception):
    """The browser gave no answer: says what it said."""


def run(module: bytes, jobs: Sequence[bytes], browser: str, folder: Path) -> list[bytes]:
    """What the module answers to each job. folder: for what the browser keeps. Raises BrowserError."""
    pages = {"/": PAGE.read_bytes(), "/module.wasm": module} | {f"/{i}": job for i, job in enumerate(jobs)}
    answers: dict[str, bytes] = {}
    done = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = pages.get(self.path)
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Type", "application/wasm" if self.path.endswith(".wasm") else "text/html")
            self.send_header("Content-Length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write(found or b"")

        def do_POST(self) -> None:
            answers[self.path] = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()
            if self.path in ("/done", "/failed"):
                done.set()

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            f"--user-data-dir={folder / 'profile'}",
        ]
        address = f"http://127.0.0.1:{server.server_port}/"
        with subprocess.Popen(
            [browser, *options, address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                for _ in range(int(PATIENCE)):
                    if done.wait(1.0) or process.poll() is not None:
                        break
            finally:
                process.terminate()
        server.shutdown()
    if "/failed" in answers:
        raise BrowserError(f"{browser}: {answers['/failed'].decode(errors='replace')}")
    if "/done" not in answers:
        raise BrowserError(f"{browser}: no answer within {PATIENCE:g} s, or it ended")
    return [answers[f"/{i}"] for i in range(len(jobs))]
