import assert from "node:assert/strict";
import { Coalesced, CrashLimit } from "../../src/restarts";

describe("restarts", () => {
  it("become one running and one queued, however many are asked for", async () => {
    let runs = 0;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const coalesced = new Coalesced(async () => {
      runs += 1;
      if (runs === 1) await gate;
    });
    const asked = [coalesced.request(), coalesced.request(), coalesced.request(), coalesced.request()];
    assert.equal(runs, 1);
    release();
    await Promise.all(asked);
    assert.equal(runs, 2);
  });

  it("go on after one that failed", async () => {
    let runs = 0;
    const coalesced = new Coalesced(() => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error("no")) : Promise.resolve();
    });
    const first = coalesced.request();
    const second = coalesced.request();
    await assert.rejects(first);
    await second;
    assert.equal(runs, 2);
  });
});

describe("crashes", () => {
  it("are given up on when they come too fast, with longer pauses between", () => {
    const limit = new CrashLimit(4, 1000, () => 0);
    assert.deepEqual([limit.crashed(), limit.crashed(), limit.crashed(), limit.crashed()], [250, 1000, 4000, undefined]);
    assert.equal(limit.count, 4);
  });

  it("that lie far apart are no reason to give up", () => {
    let now = 0;
    const limit = new CrashLimit(2, 1000, () => now);
    assert.equal(limit.crashed(), 250);
    now = 5000;
    assert.equal(limit.crashed(), 250);
  });

  it("are forgotten when the user starts it", () => {
    const limit = new CrashLimit(2, 1000, () => 0);
    limit.crashed();
    limit.forget();
    assert.equal(limit.crashed(), 250);
  });
});
