// Whether a server that ended is started again. Pure.

/** How often it is started again within that time before the user is asked. */
const most = 4;
const within = 3 * 60_000;

export class Restarts {
  private ends: number[] = [];

  constructor(private readonly now: () => number) {}

  /** The server ended; says whether it is to be started again. */
  another(): boolean {
    const now = this.now();
    this.ends = [...this.ends.filter((end) => now - end <= within), now];
    return this.ends.length <= most;
  }

  /** The user has it started: what was before does not count. */
  forget(): void {
    this.ends = [];
  }
}
