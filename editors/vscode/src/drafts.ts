// What running turns have written so far. It looks like a pending change, and nobody can decide on it. Pure.

import type { DraftParams, Pending } from './protocol';

/** The state that a draft has in the place of a proposal's. */
export const draftState = 'draft';

const idOf = (turnId: string) => `draft-${turnId}`;

export class Drafts {
  private readonly byId = new Map<string, Pending>();

  get(id: string): Pending | undefined {
    return this.byId.get(id);
  }

  all(): Pending[] {
    return [...this.byId.values()];
  }

  /** Takes in how far the change of a turn has come; it replaces what was known. */
  take(p: DraftParams, label: string): Pending {
    const id = idOf(p.turnId);
    const draft: Pending = { turnId: p.turnId, proposalId: id, revision: 0, state: draftState, label, files: p.files };
    this.byId.set(id, draft);
    return draft;
  }

  /** The turn has come to something else; returns what was written. */
  drop(turnId: string): Pending | undefined {
    const draft = this.byId.get(idOf(turnId));
    this.byId.delete(idOf(turnId));
    return draft;
  }
}
