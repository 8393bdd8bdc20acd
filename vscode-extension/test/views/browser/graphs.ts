/** Makes the graph of a blast radius for the browser tests, with code of the extension. */

import { readFileSync } from "node:fs";
import type { BlastAnswer } from "../../../src/protocol";
import type { GraphData } from "../../../src/views/model/graph";
import { upward, withCallees } from "../../../src/views/model/graphFromBlast";

export function graphFixture(): GraphData {
  const answer = JSON.parse(readFileSync("test/views/fixtures/blast.json", "utf8")) as BlastAnswer;
  const data = upward(answer);
  const callee = (name: string, line: number) => ({ from: data.centre, name, kind: "method", path: "src/flask/app.py", line });
  return { ...withCallees(data, [callee("Flask.async_to_sync", 980), callee("iscoroutinefunction", 12)]), notes: answer.reasons };
}
