// What was applied at once and is still to be looked at (the setting preview.mode: inline): marks at the lines by quick
// diff, and rows in Source Control. Lenses and hovers at the hunks come from the server.

import * as vscode from 'vscode';
import type { Review, ReviewFile } from './protocol';
import { files } from './text';
import { before } from './reviewtext';
import { liveText } from './documents';
import type { Server } from './server';

const schemeOld = 'coauthor-old';

export class Reviews implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly byRoot = new Map<string, Review>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private control: vscode.SourceControl | undefined;
  private group: vscode.SourceControlResourceGroup | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly server: Server) {
    const command = (id: string, run: (...args: never[]) => unknown) => vscode.commands.registerCommand(`coauthor.client.${id}`, run);
    this.subscriptions = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(schemeOld, this),
      command('keepChange', (uri: vscode.Uri, changes: Change[], at: number) => this.decide('keep', uri, changes[at])),
      command('undoChange', (uri: vscode.Uri, changes: Change[], at: number) => this.decide('undoHunk', uri, changes[at])),
    ];
  }

  dispose(): void {
    this.control?.dispose();
    this.subscriptions.forEach((s) => void s.dispose());
  }

  get isActive(): boolean {
    return this.all().length > 0;
  }

  /** Takes in what of a folder is under review. */
  take(review: Review): void {
    const files = review.files.filter((f) => f.hunks.length > 0); // of a file without there is nothing to decide
    if (files.length > 0) this.byRoot.set(review.uri, { ...review, files });
    else this.byRoot.delete(review.uri);
    this.show();
  }

  clear(): void {
    this.byRoot.clear();
    this.show();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const real = uri.with({ scheme: 'file', query: '' });
    return before(await liveText(real), this.of(real));
  }

  private all(): ReviewFile[] {
    return [...this.byRoot.values()].flatMap((r) => r.files);
  }

  private of(uri: vscode.Uri): ReviewFile[] {
    return this.all().filter((f) => vscode.Uri.parse(f.uri).toString() === uri.toString());
  }

  private show(): void {
    const all = this.all();
    void vscode.commands.executeCommand('setContext', 'coauthor.review', all.length > 0);
    if (all.length === 0) {
      this.control?.dispose();
      this.control = this.group = undefined;
      return;
    }
    if (!this.control) {
      this.control = vscode.scm.createSourceControl('coauthor', 'Coauthor: under review');
      this.control.inputBox.visible = false;
      this.control.quickDiffProvider = { provideOriginalResource: (uri) => this.original(uri) };
      this.group = this.control.createResourceGroup('review', 'Under review');
    }
    const uris = [...new Set(all.map((f) => f.uri))].map((u) => vscode.Uri.parse(u));
    this.control.count = uris.length;
    this.control.statusBarCommands = [{ command: 'coauthor.keepAll', title: `$(check) Keep all (${files(uris.length)})` }];
    if (this.group) {
      this.group.resourceStates = uris.map((resourceUri) => ({
        resourceUri,
        command: { command: 'vscode.open', title: 'Open', arguments: [resourceUri] },
        contextValue: 'review',
      }));
    }
    for (const uri of uris) this.changed.fire(uri.with({ scheme: schemeOld }));
  }

  private original(uri: vscode.Uri): vscode.Uri | undefined {
    return uri.scheme === 'file' && this.of(uri).length > 0 ? uri.with({ scheme: schemeOld }) : undefined;
  }

  private async decide(id: 'keep' | 'undoHunk', uri: vscode.Uri, change: Change | undefined): Promise<void> {
    if (!change) return;
    const line = Math.max(0, change.modifiedStartLineNumber - 1);
    const end = Math.max(line, change.modifiedEndLineNumber);
    const range = { start: { line, character: 0 }, end: { line: end, character: 0 } };
    await this.server.run(`coauthor.${id}`, { uri: uri.with({ scheme: 'file', query: '' }).toString(), range });
  }
}

/** A change as VS Code's quick diff hands it to a command. */
interface Change {
  modifiedStartLineNumber: number;
  modifiedEndLineNumber: number;
}
