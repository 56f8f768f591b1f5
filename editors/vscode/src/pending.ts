// What happens when a proposal comes or changes: it is taken in, shown where nothing is covered, and followed.

import * as vscode from 'vscode';
import type { Diffs } from './diff';
import type { Documents } from './documents';
import type { Drafts } from './drafts';
import { background } from './log';
import { isWaiting, openFiles, size, type Proposals } from './proposals';
import type { DraftParams, Pending } from './protocol';

/** How long a proposal must wait before it is shown: one that is applied at once (preview.mode) needs no decision. */
const settled = 200;

export class PendingChanges {
  constructor(
    private readonly proposals: Proposals,
    private readonly drafts: Drafts,
    private readonly documents: Documents,
    private readonly diffs: Diffs,
    private readonly refresh: () => void,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** The server announces a proposal, or a new state of one. */
  take(p: Pending): void {
    const { fresh, before } = this.proposals.take(p);
    this.documents.refreshSoon();
    this.refresh();
    const draft = this.drafts.drop(p.turnId);
    background(this.log, 'show a pending change', async () => {
      if (draft && (await this.diffs.settle(draft, isWaiting(p) ? p : undefined))) return;
      if (fresh) await this.offer(p);
      else if (before) await this.diffs.follow(p, !isWaiting(p) && p.state !== 'applying');
    });
  }

  /** A turn has written more of its change. */
  wrote(p: DraftParams, label: string): Pending {
    const draft = this.drafts.take(p, label);
    this.documents.refreshSoon();
    this.refresh();
    return draft;
  }

  /** A turn ended without a change, or is gone: what it has written counts no more. False: there was nothing. */
  unwritten(turnId: string): boolean {
    const draft = this.drafts.drop(turnId);
    if (!draft) return false;
    this.refresh();
    background(this.log, 'close what was being written', () => this.diffs.settle(draft, undefined));
    return true;
  }

  /** Takes in what waits since an earlier window; it opens nothing. */
  adopt(p: Pending): void {
    this.proposals.take(p);
    this.refresh();
  }

  private async offer({ proposalId, revision }: Pending): Promise<void> {
    await new Promise((done) => setTimeout(done, settled));
    const p = this.proposals.get(proposalId);
    if (!p || p.revision !== revision || !isWaiting(p)) return;
    const shown = await this.diffs.offer(p);
    if (shown) return;
    const warns = (p.warnings ?? []).length > 0;
    const tell = warns ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    const file = openFiles(p)[0];
    // Nobody waits for the answer: it may be hours away.
    void tell(`Coauthor: a change is ready${warns ? ', with warnings' : ''}: ${size(openFiles(p))}.`, 'Show').then((picked) => {
      const now = this.proposals.get(p.proposalId);
      if (picked === 'Show' && file && now) {
        background(this.log, 'show a pending change', () => this.diffs.show(now, openFiles(now)[0] ?? file, vscode.window.tabGroups.all.length + 1));
      }
    });
  }
}
