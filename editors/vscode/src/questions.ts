// What the server needs an answer to. Pure.

import type { QuestionParams } from './protocol';

export class Questions {
  private readonly byId = new Map<string, QuestionParams>();

  /** Takes in a question, or that it has ended; says whether it is new. */
  take(p: QuestionParams): boolean {
    const known = this.byId.has(p.id);
    if (p.state === 'open') this.byId.set(p.id, p);
    else this.byId.delete(p.id);
    return p.state === 'open' && !known;
  }

  get(id: string): QuestionParams | undefined {
    return this.byId.get(id);
  }

  /** Those that wait for an answer, the oldest first. */
  open(): QuestionParams[] {
    return [...this.byId.values()];
  }

  /** Whether a turn waits for an answer. */
  isAsked(turnId: string): boolean {
    return this.open().some((q) => q.turnId === turnId);
  }

  clear(): void {
    this.byId.clear();
  }
}
