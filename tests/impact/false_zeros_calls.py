"""Uses that are missed because no call is written: reflection, decorators, routes, values."""

from tests.impact.misses import Miss

DYNAMIC = [
    Miss(
        mode="dynamic",
        language="python",
        symbol="Cart.check_out",
        place="use.py:2",
        files={
            "cart.py": "class Cart:\n    def check_out(self): ...\n",
            "use.py": "def run(cart):\n    return getattr(cart, 'check_out')()\n",
        },
    ),
    Miss(
        mode="dynamic",
        language="javascript",
        symbol="Cart.checkOut",
        place="use.js:2",
        files={
            "cart.js": "export class Cart {\n  checkOut() {}\n}\n",
            "use.js": "export function run(cart) {\n  return cart['checkOut']();\n}\n",
        },
    ),
    Miss(
        mode="dynamic",
        language="ruby",
        symbol="Cart.check_out",
        place="use.rb:2",
        files={
            "cart.rb": "class Cart\n  def check_out\n  end\nend\n",
            "use.rb": "def run(cart)\n  cart.send(:check_out)\nend\n",
        },
    ),
    Miss(
        mode="dynamic",
        language="java",
        symbol="Cart.checkOut",
        place="Use.java:3",
        files={
            "Cart.java": "class Cart {\n  void checkOut() {}\n}\n",
            "Use.java": (
                "class Use {\n"
                "  Object run(Object cart) throws Exception {\n"
                '    return cart.getClass().getMethod("checkOut").invoke(cart);\n'
                "  }\n"
                "}\n"
            ),
        },
    ),
    Miss(
        mode="dynamic",
        language="php",
        symbol="Cart.checkOut",
        place="use.php:3",
        files={
            "cart.php": "<?php\nclass Cart {\n  function checkOut() {}\n}\n",
            "use.php": (
                "<?php\nfunction run($cart) {\n  return call_user_func([$cart, 'checkOut']);\n}\n"
            ),
        },
    ),
]

DECORATED = [
    Miss(
        mode="decorator",
        language="python",
        symbol="on_sale",
        code="decorated",
        files={
            "bus.py": "def listens(handler):\n    return handler\n",
            "a.py": "from bus import listens\n\n@listens\ndef on_sale(): ...\n",
        },
    ),
    Miss(
        mode="decorator",
        language="typescript",
        symbol="Shop.onSale",
        code="decorated",
        files={
            "bus.ts": "export function listens(target: any, name: string) {}\n",
            "a.ts": (
                "import { listens } from './bus';\n"
                "export class Shop {\n"
                "  @listens\n"
                "  onSale() {}\n"
                "}\n"
            ),
        },
    ),
    Miss(
        mode="decorator",
        language="java",
        symbol="Shop.onSale",
        code="decorated",
        files={
            "Listens.java": "@interface Listens {}\n",
            "Shop.java": "class Shop {\n  @Listens\n  void onSale() {}\n}\n",
        },
    ),
    Miss(
        mode="decorator",
        language="csharp",
        symbol="Shop.OnSale",
        code="decorated",
        files={
            "Listens.cs": "class Listens : System.Attribute {}\n",
            "Shop.cs": "class Shop {\n  [Listens]\n  void OnSale() {}\n}\n",
        },
    ),
]

ROUTES = [
    Miss(
        mode="route",
        language="python",
        symbol="show_cart",
        code="entry_point",
        files={"a.py": "app = make()\n\n@app.get('/cart')\ndef show_cart(): ...\n"},
    ),
    Miss(
        mode="route",
        language="javascript",
        symbol="showCart",
        code="entry_point",
        files={
            "a.js": (
                "function showCart(req, res) {}\n"
                "const app = express();\n"
                "app.get('/cart', showCart);\n"
            )
        },
    ),
    Miss(
        mode="route",
        language="go",
        symbol="showCart",
        code="entry_point",
        files={
            "a.go": (
                "package shop\n"
                "\n"
                'import "net/http"\n'
                "\n"
                "func showCart(w http.ResponseWriter, r *http.Request) {}\n"
                "\n"
                "func start() {\n"
                '\thttp.HandleFunc("/cart", showCart)\n'
                "}\n"
            )
        },
    ),
    Miss(
        mode="route",
        language="java",
        symbol="Shop.showCart",
        code="entry_point",
        files={
            "Shop.java": (
                'class Shop {\n  @GetMapping("/cart")\n  String showCart() { return ""; }\n}\n'
            )
        },
    ),
]

VALUES = [
    Miss(
        mode="value",
        language="python",
        symbol="settle",
        code="value",
        files={"a.py": "def settle(): ...\n\ndef plan(queue):\n    queue.put(settle)\n"},
    ),
    Miss(
        mode="value",
        language="typescript",
        symbol="settle",
        code="value",
        files={
            "a.ts": (
                "function settle() {}\nexport function plan(queue: any) { queue.put(settle); }\n"
            )
        },
    ),
    Miss(
        mode="value",
        language="go",
        symbol="settle",
        code="value",
        files={
            "a.go": (
                "package shop\n"
                "\n"
                "func settle() {}\n"
                "\n"
                "func plan(queue chan func()) {\n"
                "\tqueue <- settle\n"
                "}\n"
            )
        },
    ),
    Miss(
        mode="value",
        language="rust",
        symbol="settle",
        code="value",
        files={
            "src/lib.rs": (
                "fn settle() {}\n\nfn plan(queue: &mut Vec<fn()>) {\n    queue.push(settle);\n}\n"
            )
        },
    ),
]

UNRESOLVED = [
    Miss(
        mode="same name",
        language="python",
        symbol="Cart.check_out",
        place="use.py:2",
        files={
            "cart.py": "class Cart:\n    def check_out(self): ...\n",
            "use.py": "def run(thing):\n    thing.check_out()\n",
        },
    ),
    Miss(
        mode="same name",
        language="javascript",
        symbol="Cart.checkOut",
        place="use.js:2",
        files={
            "cart.js": "export class Cart {\n  checkOut() {}\n}\n",
            "use.js": "export function run(thing) {\n  thing.checkOut();\n}\n",
        },
    ),
    Miss(
        mode="same name",
        language="ruby",
        symbol="Cart.check_out",
        place="use.rb:2",
        files={
            "cart.rb": "class Cart\n  def check_out\n  end\nend\n",
            "use.rb": "def run(thing)\n  thing.check_out\nend\n",
        },
    ),
    Miss(
        mode="same name",
        language="php",
        symbol="Cart.checkOut",
        place="use.php:3",
        files={
            "cart.php": "<?php\nclass Cart {\n  function checkOut() {}\n}\n",
            "use.php": "<?php\nfunction run($thing) {\n  $thing->checkOut();\n}\n",
        },
    ),
]


def _unread(mode: str, why: str, path: str, text: str) -> list[Miss]:
    """A use of a function of each language in a file that is not read."""
    definitions = {
        "python": ("cart.py", "def check_out_all(): ...\n", "check_out_all"),
        "typescript": ("cart.ts", "export function check_out_all() {}\n", "check_out_all"),
        "go": ("cart.go", "package cart\n\nfunc check_out_all() {}\n", "check_out_all"),
        "java": ("Cart.java", "class Cart { void check_out_all() {} }\n", "Cart.check_out_all"),
        "rust": ("src/lib.rs", "fn check_out_all() {}\n", "check_out_all"),
    }
    return [
        Miss(
            mode=mode,
            language=language,
            files={file: definition, path: text},
            symbol=symbol,
            place=f"{path}:1",
            unread={path: why},
        )
        for language, (file, definition, symbol) in definitions.items()
    ]


UNREAD = [
    *_unread(
        "unsupported", "unsupported: no language for .zz", "page.zz", "{{ check_out_all() }}\n"
    ),
    *_unread(
        "parse failure", "read in part: the syntax is broken", "bad.xx", "x = (((check_out_all(\n"
    ),
    *_unread("generated", "generated code (by its name)", "gen.pb.xx", "run(check_out_all)\n"),
]
