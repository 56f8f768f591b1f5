// What was asked, so that it can be asked again: also after this process, and with it the server, was killed in mid-turn.

import type { Memento } from 'vscode';

/** A request that was sent. */
export interface Asked {
  turnId: string;
  /** What the user wrote, or the title of the command. */
  words: string;
  /** The id of the command. */
  command: string;
  argument: Record<string, unknown>;
  /** The process that waits for it. */
  pid: number;
}

const runningKey = 'coauthor.running';

/** Requests that are remembered. */
const kept = 200;

export class AskedBefore {
  private readonly byTurn = new Map<string, Asked>();

  constructor(private readonly memory: Memento) {}

  /** A request was sent, and may have come to its end already. */
  started(request: Omit<Asked, 'pid'>, runs: boolean): void {
    // Positions and complaints are of the text as it was then.
    const { version: _v, diagnostics: _d, ...argument } = request.argument;
    const asked: Asked = { ...request, argument, pid: process.pid };
    this.byTurn.set(asked.turnId, asked);
    const oldest = this.byTurn.keys().next().value;
    if (this.byTurn.size > kept && oldest !== undefined) this.byTurn.delete(oldest);
    if (runs) this.write([...this.running(), asked]);
  }

  ended(turnId: string): void {
    const running = this.running();
    if (running.some((a) => a.turnId === turnId)) this.write(running.filter((a) => a.turnId !== turnId));
  }

  get(turnId: string): Asked | undefined {
    return this.byTurn.get(turnId);
  }

  /** The requests that a process was waiting for which is gone, each once. Those of other windows on the folder are theirs. */
  takeCut(): Asked[] {
    const running = this.running();
    const cut = running.filter((a) => a.pid !== process.pid && !alive(a.pid));
    for (const a of cut) this.byTurn.set(a.turnId, a);
    if (cut.length > 0) this.write(running.filter((a) => !cut.includes(a)));
    return cut;
  }

  private running(): Asked[] {
    return this.memory.get<Asked[]>(runningKey) ?? [];
  }

  private write(list: Asked[]): void {
    void this.memory.update(runningKey, list.slice(-20));
  }
}

/** Whether a process runs. */
export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return (err as NodeJS.ErrnoException).code === 'EPERM';
  }
}
