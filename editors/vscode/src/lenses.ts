// Accept and Discard above each hunk in the new side of a diff.

import * as vscode from 'vscode';
import { schemeNew, type Documents } from './documents';
import { isWaiting } from './proposals';

/** What a lens or a key decides on. */
export interface HunkRef {
  uri: string;
  hunk: number;
  revision: number;
}

export class Lenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly documents: Documents) {
    this.subscriptions = [this.changed, vscode.languages.registerCodeLensProvider({ scheme: schemeNew }, this)];
  }

  dispose(): void {
    this.subscriptions.forEach((s) => void s.dispose());
  }

  refresh(): void {
    this.changed.fire();
  }

  async provideCodeLenses(doc: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    await this.documents.ready(doc.uri);
    const about = this.documents.about(doc.uri);
    if (!about || !isWaiting(about.proposal)) return [];
    return this.documents.placed(doc.uri).flatMap(({ number, line }) => {
      const at = new vscode.Range(Math.min(line, doc.lineCount - 1), 0, Math.min(line, doc.lineCount - 1), 0);
      const ref: HunkRef = { uri: doc.uri.toString(), hunk: number, revision: about.proposal.revision };
      return [
        new vscode.CodeLens(at, { title: '$(check) Accept', tooltip: 'Accept this hunk (Ctrl+Enter)', command: 'coauthor.client.acceptHunk', arguments: [ref] }),
        new vscode.CodeLens(at, { title: '$(discard) Discard', tooltip: 'Discard this hunk (Ctrl+Delete)', command: 'coauthor.client.discardHunk', arguments: [ref] }),
      ];
    });
  }
}
