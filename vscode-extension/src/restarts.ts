/** When to start the server again, and when to give up. */

/** Runs one piece of work at a time; requests while it runs become one further run. */
export class Coalesced {
  #running: Promise<void> | undefined;
  #queued: Promise<void> | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  /** Resolves when a run that began after this call has ended. */
  request(): Promise<void> {
    if (!this.#running) {
      this.#running = this.work().finally(() => {
        this.#running = undefined;
      });
      return this.#running;
    }
    this.#queued ??= this.#running.then(again, again).then(() => {
      this.#queued = undefined;
      return this.request();
    });
    return this.#queued;
  }
}

function again(): void {
  // How the run before has ended says nothing about the next one.
}

/** Counts crashes; too many within a while mean that starting again does not help. */
export class CrashLimit {
  #times: number[] = [];

  constructor(
    private readonly most: number,
    private readonly withinMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Notes a crash; how long to wait before the next start, or undefined to give up. */
  crashed(): number | undefined {
    const now = this.now();
    this.#times = [...this.#times.filter((time) => now - time < this.withinMs), now];
    if (this.#times.length >= this.most) return undefined;
    return 250 * 4 ** (this.#times.length - 1);
  }

  get count(): number {
    return this.#times.length;
  }

  forget(): void {
    this.#times = [];
  }
}
