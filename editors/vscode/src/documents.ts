// The two sides of a diff, as documents that nobody can write into: what a file is now, and what it would be.

import * as vscode from 'vscode';
import type { Placed, Texts } from './hunks';
import { fromServer, texts } from './hunks';
import type { Drafts } from './drafts';
import type { Proposals } from './proposals';
import type { Pending, PendingFile, TextsView } from './protocol';

export const schemeBase = 'coauthor-base';
export const schemeNew = 'coauthor-new';
/** The new side of a change that is still being written, on which nothing can be decided. */
export const schemeDraft = 'coauthor-draft';

/** The address of one side of a file. Both sides have the same path, so that VS Code does not take it for a rename. */
export function sideOf(scheme: string, p: Pending, file: PendingFile): vscode.Uri {
  return vscode.Uri.parse(file.uri).with({ scheme, query: p.proposalId });
}

export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  /** Texts by the path and the proposal; the last one stays while the server is away. */
  private readonly known = new Map<string, Texts>();
  private readonly subscriptions: vscode.Disposable[];
  private later: NodeJS.Timeout | undefined;

  constructor(
    private readonly proposals: Proposals,
    private readonly drafts: Drafts,
    private readonly ask: (p: Pending, file: PendingFile) => Promise<TextsView>,
  ) {
    this.subscriptions = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(schemeBase, this),
      vscode.workspace.registerTextDocumentContentProvider(schemeNew, this),
      vscode.workspace.registerTextDocumentContentProvider(schemeDraft, this),
      vscode.workspace.onDidChangeTextDocument((e) => {
        const uri = e.document.uri.toString();
        if ([...this.proposals.waiting(), ...this.drafts.all()].some((p) => p.files.some((f) => f.uri === uri || vscode.Uri.parse(f.uri).toString() === uri))) this.refreshSoon();
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.later);
    this.subscriptions.forEach((s) => void s.dispose());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const t = await this.textsOf(uri);
    return uri.scheme === schemeBase ? t.before : t.after;
  }

  /** Waits until it is known where the hunks of a document of ours stand. */
  async ready(uri: vscode.Uri): Promise<void> {
    if (!this.known.has(key(uri))) await this.textsOf(uri);
  }

  /** Where the open hunks of a document of ours stand. */
  placed(uri: vscode.Uri): Placed[] {
    return this.known.get(key(uri))?.placed ?? [];
  }

  /** The proposal and the file that a document of ours is about. */
  about(uri: vscode.Uri): { proposal: Pending; file: PendingFile } | undefined {
    if (uri.scheme !== schemeNew && uri.scheme !== schemeBase) return undefined;
    const proposal = this.proposals.get(uri.query);
    const file = proposal?.files.find((f) => vscode.Uri.parse(f.uri).path === uri.path);
    return proposal && file ? { proposal, file } : undefined;
  }

  /** Has every open side read again, once for what changes at the same time. */
  refreshSoon(): void {
    this.later ??= setTimeout(() => {
      this.later = undefined;
      this.refresh();
    }, 150);
  }

  refresh(): void {
    for (const doc of vscode.workspace.textDocuments) {
      if ([schemeBase, schemeNew, schemeDraft].includes(doc.uri.scheme)) this.changed.fire(doc.uri);
    }
  }

  private async textsOf(uri: vscode.Uri): Promise<Texts> {
    const draft = this.drafts.get(uri.query);
    const written = draft?.files.find((f) => vscode.Uri.parse(f.uri).path === uri.path);
    if (written) {
      const t = await this.local(written);
      this.known.set(key(uri), t);
      return t;
    }
    const about = this.about(uri);
    const before = this.known.get(key(uri)) ?? { before: '', after: '', placed: [], lost: [] };
    if (!about) return before;
    const { proposal, file } = about;
    const t = await this.ask(proposal, file).then(fromServer, () => this.local(file)); // it is not there, or does not know the question
    this.known.set(key(uri), t);
    return t;
  }

  /** Both sides as they can be made here. */
  private async local(file: PendingFile): Promise<Texts> {
    return texts(file, file.op === 'create' ? '' : await liveText(vscode.Uri.parse(file.uri)));
  }
}

function key(uri: vscode.Uri): string {
  return `${uri.path}?${uri.query}`;
}

/** What a file is now: its open document, else what is on the disk. */
export async function liveText(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
  if (open) return open.getText();
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return ''; // it is gone; the new side alone is shown
  }
}
