"""Uses that are missed because of types: dispatch, overriding, names passed on by a module."""

from tests.impact.misses import Miss

PY_SHAPES = """\
class Shape:
    def area(self): ...

class Circle(Shape):
    def area(self):
        return 3

def total(shape: Shape):
    return shape.area()
"""
TS_SHAPES = """\
export interface Shape { area(): number }
export class Circle implements Shape {
  area(): number { return 3; }
}
export function total(shape: Shape): number {
  return shape.area();
}
"""
GO_SHAPES = """\
package shapes

type Shape interface {
	Area() int
	Name() string
}

type Circle struct{}

func (c Circle) Area() int { return 3 }
func (c Circle) Name() string { return "" }

func Total(shape Shape) int {
	return shape.Area()
}
"""
JAVA_SHAPES = """\
interface Shape { int area(); }
class Circle implements Shape {
  public int area() { return 3; }
}
class Sum {
  int total(Shape shape) { return shape.area(); }
}
"""
RUST_SHAPES = """\
pub trait Shape { fn area(&self) -> i32; }
pub struct Circle;
impl Shape for Circle {
    fn area(&self) -> i32 { 3 }
}
pub fn total(shape: &dyn Shape) -> i32 {
    shape.area()
}
"""
CS_SHAPES = """\
interface IShape { int Area(); }
class Circle : IShape {
  public int Area() { return 3; }
}
class Sum {
  int Total(IShape shape) { return shape.Area(); }
}
"""

DISPATCH = [
    Miss(
        mode="interface",
        language="python",
        files={"a.py": PY_SHAPES},
        symbol="Circle.area",
        caller="total",
    ),
    Miss(
        mode="interface",
        language="typescript",
        files={"a.ts": TS_SHAPES},
        symbol="Circle.area",
        caller="total",
    ),
    Miss(
        mode="interface",
        language="go",
        files={"a.go": GO_SHAPES, "go.mod": "module x\n"},
        symbol="Circle.Area",
        caller="Total",
    ),
    Miss(
        mode="interface",
        language="java",
        files={"A.java": JAVA_SHAPES},
        symbol="Circle.area",
        caller="Sum.total",
    ),
    Miss(
        mode="interface",
        language="rust",
        files={"src/lib.rs": RUST_SHAPES},
        symbol="Circle.area",
        caller="total",
    ),
    Miss(
        mode="interface",
        language="csharp",
        files={"A.cs": CS_SHAPES},
        symbol="Circle.Area",
        caller="Sum.Total",
    ),
]

OVERRIDE = [
    Miss(
        mode="override",
        language="python",
        files={"a.py": PY_SHAPES},
        symbol="Shape.area",
        caller="Circle.area",
    ),
    Miss(
        mode="override",
        language="typescript",
        files={"a.ts": TS_SHAPES},
        symbol="Shape.area",
        caller="Circle.area",
    ),
    Miss(
        mode="override",
        language="go",
        files={"a.go": GO_SHAPES, "go.mod": "module x\n"},
        symbol="Shape.Area",
        caller="Circle.Area",
    ),
    Miss(
        mode="override",
        language="java",
        files={"A.java": JAVA_SHAPES},
        symbol="Shape.area",
        caller="Circle.area",
    ),
    Miss(
        mode="override",
        language="csharp",
        files={"A.cs": CS_SHAPES},
        symbol="IShape.Area",
        caller="Circle.Area",
    ),
]

REEXPORT = [
    Miss(
        mode="re-export",
        language="python",
        symbol="impl.py::pay",
        caller="buy",
        files={
            "shop/__init__.py": "from .impl import pay\n",
            "shop/impl.py": "def pay(): ...\n",
            "use.py": "from shop import pay\n\ndef buy():\n    pay()\n",
        },
    ),
    Miss(
        mode="re-export",
        language="typescript",
        symbol="impl.ts::pay",
        caller="buy",
        files={
            "shop/index.ts": "export { pay } from './impl';\n",
            "shop/impl.ts": "export function pay() {}\n",
            "use.ts": "import { pay } from './shop';\nexport function buy() { pay(); }\n",
        },
    ),
    Miss(
        mode="re-export",
        language="javascript",
        symbol="impl.js::pay",
        caller="buy",
        files={
            "shop/index.js": "export * from './impl.js';\n",
            "shop/impl.js": "export function pay() {}\n",
            "use.js": (
                "import { pay as settle } from './shop/index.js';\n"
                "export function buy() { settle(); }\n"
            ),
        },
    ),
    Miss(
        mode="re-export",
        language="rust",
        symbol="imp.rs::pay",
        caller="buy",
        files={
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "mod imp;\nmod user;\npub use imp::pay;\n",
            "src/imp.rs": "pub fn pay() {}\n",
            "src/user.rs": "use crate::pay;\npub fn buy() { pay(); }\n",
        },
    ),
]
