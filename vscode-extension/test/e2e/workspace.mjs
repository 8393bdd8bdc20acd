// A small web framework as a workspace, with git history, an uncommitted change and tests.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

export const TASK = "Add a before_request hook that validates API keys";
export const SYMBOL = "Scaffold.before_request";

const FILES = {
  "README.md": `# Tiny

A small web framework. Hooks registered with \`before_request\` run before every view; see
\`Scaffold.before_request\`. Signing of sessions is in \`tiny/sessions.py\`.
`,
  "tiny/__init__.py": `from tiny.app import App\n\n__all__ = ["App"]\n`,
  "tiny/scaffold.py": `"""What applications and blueprints share."""

from collections.abc import Callable

Hook = Callable[[], object]


class Scaffold:
    """Registers views and the hooks around them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.before_hooks: list[Hook] = []
        self.after_hooks: list[Hook] = []
        self.views: dict[str, Hook] = {}

    def before_request(self, hook: Hook) -> Hook:
        """Registers a function that runs before each request.

        If it returns something, that is the response, and the view is not called.
        """
        self.before_hooks.append(hook)
        return hook

    def after_request(self, hook: Hook) -> Hook:
        """Registers a function that runs after each request."""
        self.after_hooks.append(hook)
        return hook

    def route(self, path: str) -> Callable[[Hook], Hook]:
        """Registers a view for a path."""

        def register(view: Hook) -> Hook:
            self.views[path] = view
            return view

        return register
`,
  "tiny/app.py": `"""The application: takes requests through hooks to views."""

from tiny.auth import require_login
from tiny.requests import Request
from tiny.scaffold import Scaffold
from tiny.sessions import open_session


class App(Scaffold):
    """A WSGI application."""

    def preprocess_request(self, request: Request) -> object | None:
        """Runs the hooks; the first answer wins."""
        for hook in self.before_hooks:
            answer = hook()
            if answer is not None:
                return answer
        return None

    def full_dispatch_request(self, request: Request) -> object:
        """Hooks, view, hooks."""
        answer = self.preprocess_request(request)
        if answer is None:
            answer = self.dispatch_request(request)
        for hook in self.after_hooks:
            hook()
        return answer

    def dispatch_request(self, request: Request) -> object:
        """Calls the view of a path."""
        return self.views[request.path]()

    def wsgi_app(self, environ: dict[str, str]) -> object:
        """The entry point of servers."""
        request = Request(environ)
        open_session(request)
        return self.full_dispatch_request(request)

    def protect(self) -> None:
        """Lets nobody in who is not logged in."""
        self.before_request(require_login)
`,
  "tiny/requests.py": `"""What a client asks for."""


class Request:
    """A request, read from the environment of the server."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.environ = environ

    @property
    def path(self) -> str:
        return self.environ.get("PATH_INFO", "/")

    def header(self, name: str) -> str | None:
        """A header, or nothing."""
        return self.environ.get("HTTP_" + name.upper().replace("-", "_"))
`,
  "tiny/auth.py": `"""Who may do what."""

from tiny.sessions import current_session


def require_login() -> object | None:
    """A hook: refuses those who are not logged in."""
    return None if current_session().get("user") else "401 Unauthorized"


def check_api_key(key: str | None) -> bool:
    """Whether an API key is one of ours."""
    return key is not None and key in API_KEYS


API_KEYS: set[str] = set()
`,
  "tiny/sessions.py": `"""Sessions, kept in a signed cookie."""

from tiny.requests import Request

_SESSIONS: list[dict[str, str]] = []


def open_session(request: Request) -> dict[str, str]:
    """Reads the session of a request."""
    session = {"cookie": request.header("Cookie") or ""}
    _SESSIONS.append(session)
    return session


def current_session() -> dict[str, str]:
    """The session that was opened last."""
    return _SESSIONS[-1] if _SESSIONS else {}
`,
  "tests/test_hooks.py": `from tiny import App


def test_before_request_stops_a_request():
    app = App("shop")
    app.before_request(lambda: "no")
    assert app.wsgi_app({"PATH_INFO": "/"}) == "no"


def test_after_request_runs():
    app = App("shop")
    seen = []
    app.route("/")(lambda: "hello")
    app.after_request(lambda: seen.append(1))
    assert app.wsgi_app({"PATH_INFO": "/"}) == "hello"
    assert seen == [1]
`,
  // Would be run instead of ours by a server that is started carelessly.
  "server/__init__.py": `raise SystemExit("the server package of the workspace was run")\n`,
  "knowing/__init__.py": `raise SystemExit("the knowing package of the workspace was run")\n`,
};

export function makeWorkspace(folder) {
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgSign=false", ...args], { cwd: folder, stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "A small web framework with hooks before each request");
  const auth = path.join(folder, "tiny/auth.py");
  writeFileSync(auth, FILES["tiny/auth.py"].replace("key is not None and key in", "bool(key) and key in"));
  return folder;
}

export function makeSecond(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "billing.go"), `package billing

// Charge takes money from an account.
func Charge(account string, cents int) error {
	return record(account, cents)
}

func record(account string, cents int) error { return nil }
`);
  return folder;
}
