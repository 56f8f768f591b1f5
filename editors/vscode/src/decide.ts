// Deciding on pending changes: all, a file, a hunk, by lens, button, key or tree.

import * as vscode from 'vscode';
import type { Diffs } from './diff';
import type { Drafts } from './drafts';
import { schemeNew, type Documents } from './documents';
import { hunkAt } from './hunks';
import type { HunkRef } from './lenses';
import { background } from './log';
import { method, type Pending, type PendingFile } from './protocol';
import { openFiles, selector, type Proposals } from './proposals';
import type { Server } from './server';
import type { Node } from './tree';

type Decision = 'apply' | 'discard';

export class Decisions {
  constructor(
    private readonly server: Server,
    private readonly proposals: Proposals,
    private readonly drafts: Drafts,
    private readonly documents: Documents,
    private readonly diffs: Diffs,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  register(): vscode.Disposable[] {
    const command = (id: string, run: (arg?: unknown) => Promise<unknown>) =>
      vscode.commands.registerCommand(`coauthor.client.${id}`, (arg?: unknown) => background(this.log, id, () => run(arg)));
    return [
      command('acceptHunk', (ref) => this.hunk('apply', ref as HunkRef | undefined)),
      command('discardHunk', (ref) => this.hunk('discard', ref as HunkRef | undefined)),
      command('acceptFile', (arg) => this.file('apply', arg)),
      command('discardFile', (arg) => this.file('discard', arg)),
      command('acceptAll', (arg) => this.all('apply', arg)),
      command('discardAll', (arg) => this.all('discard', arg)),
      command('reviewAll', (arg) => this.withProposal(arg, (p) => this.diffs.showAll(p))),
      command('openFile', (arg) => this.openFile(arg)),
      command('resolve', (arg) => this.withProposal(arg, (p) => this.resolve(p))),
    ];
  }

  /** Shows the newest change that waits; the server is asked, so that one that it could not announce is shown too. */
  async showPending(argument: Record<string, unknown>): Promise<void> {
    const p = await this.server.request<Pending | null>(method.getPending, argument).catch(() => null);
    if (p) this.proposals.take(p);
    const shown = p ?? this.proposals.waiting()[0] ?? this.drafts.all().at(-1);
    const file = shown && openFiles(shown)[0];
    if (shown && file) await this.diffs.show(shown, file);
    else this.tellNothing();
  }

  private tellNothing(): void {
    void vscode.window.showInformationMessage(`Coauthor: ${this.proposals.nothing()}`);
  }

  private async hunk(decision: Decision, ref: HunkRef | undefined): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const uri = ref ? vscode.Uri.parse(ref.uri) : editor?.document.uri;
    const about = uri && this.documents.about(uri);
    if (!uri || !about) return;
    let number = ref?.hunk;
    if (number === undefined && editor) number = hunkAt(this.documents.placed(uri), editor.selection.active.line)?.number;
    if (number === undefined) {
      void vscode.window.showInformationMessage('Coauthor: no change at the cursor. Press Alt+F5 to go to the next one.');
      return;
    }
    const chosen = selector(about.proposal, about.file, number);
    await this.send(decision, ref ? { ...chosen, revision: ref.revision } : chosen);
  }

  private async file(decision: Decision, arg: unknown): Promise<void> {
    const at = this.fileOf(arg);
    if (at) await this.send(decision, selector(at.proposal, at.file));
  }

  private async all(decision: Decision, arg: unknown): Promise<void> {
    await this.withProposal(arg, async (p) => {
      const list = openFiles(p);
      if (decision === 'discard' && list.length > 1) {
        const picked = await vscode.window.showWarningMessage(`Discard the change in all ${list.length} files?`, { modal: true }, 'Discard');
        if (picked !== 'Discard') return;
      }
      await this.send(decision, selector(p));
    });
  }

  private async openFile(arg: unknown): Promise<void> {
    const at = this.fileOf(arg);
    if (at) await this.diffs.show(at.proposal, at.file);
  }

  /** The four ways out of a change that meets lines which the user has changed. */
  private async resolve(p: Pending): Promise<void> {
    const ways = [
      { label: 'Show both sides', take: 'both' },
      { label: 'Keep my lines and apply the rest', take: 'mine' },
      { label: "Use the model's lines", take: 'theirs' },
      { label: 'Ask again with my text', take: 'again' },
    ];
    const picked = await vscode.window.showQuickPick(ways, { title: 'Coauthor: you edited the same lines' });
    if (picked) await this.server.run('coauthor.resolve', { ...selector(p), take: picked.take });
  }

  private async send(decision: Decision, chosen: ReturnType<typeof selector>): Promise<void> {
    // It is on the screen, or in the list that the user has decided from; the revision guards against a newer one.
    await this.server.request(method.getPending, { turnId: chosen.turnId, proposalId: chosen.proposalId });
    await this.server.run(`coauthor.${decision}`, { ...chosen });
  }

  private async withProposal(arg: unknown, run: (p: Pending) => Promise<unknown>): Promise<void> {
    const node = arg as { proposal?: Pending } | undefined;
    const active = vscode.window.activeTextEditor?.document.uri;
    const p = node?.proposal ?? (active && this.documents.about(active)?.proposal) ?? this.proposals.waiting()[0];
    const now = p && (this.proposals.get(p.proposalId) ?? p);
    if (now && now.state !== 'applying') await run(now);
    else this.tellNothing();
  }

  private fileOf(arg: unknown): { proposal: Pending; file: PendingFile } | undefined {
    if (arg instanceof vscode.Uri && arg.scheme === schemeNew) return this.documents.about(arg);
    const node = arg as Node | undefined;
    if (node?.kind === 'file') return node;
    const active = vscode.window.activeTextEditor?.document.uri;
    return active && this.documents.about(active);
  }
}
