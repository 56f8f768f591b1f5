// Notices when Ctrl+Z takes back a part of what a turn brought: the files that were created stay, and other edits of it.

import * as vscode from 'vscode';
import type { ApplyWorkspaceEditParams } from 'vscode-languageclient/node';
import { Landed, type Standing } from './landed';
import { files } from './text';
import type { Turn, Turns } from './turns';

/** One undo changes several documents, one after the other. */
const settled = 300;

export class OwnUndo implements vscode.Disposable {
  private readonly landed = new Landed();
  private readonly touched = new Set<string>();
  private readonly told = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private readonly listener: vscode.Disposable;

  constructor(
    private readonly turns: Turns,
    private readonly changed: (turn: Turn) => void,
    private readonly undo: (turnId: string) => Thenable<unknown>,
  ) {
    this.listener = vscode.workspace.onDidChangeTextDocument(({ document, reason }) => {
      if (reason === undefined) return; // neither undo nor redo
      for (const turn of this.landed.of(document.uri.toString())) this.touched.add(turn);
      if (this.touched.size > 0) this.timer ??= setTimeout(() => this.look(), settled);
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listener.dispose();
  }

  /** An edit of the server is about to land. What is returned is called when it has. */
  landing(params: ApplyWorkspaceEditParams): (applied: boolean) => void {
    const turn = this.turns.applying();
    if (!turn) return () => undefined;
    const { documentChanges, changes } = params.edit;
    const edited: string[] = Object.keys(changes ?? {});
    const others: string[] = [];
    for (const c of documentChanges ?? []) {
      if ('textDocument' in c) edited.push(c.textDocument.uri);
      else others.push('uri' in c ? c.uri : c.newUri);
    }
    const uris = [...new Set(edited)].map((u) => vscode.Uri.parse(u));
    const before = new Map<vscode.Uri, string | undefined>(uris.map((u) => [u, open(u)?.getText()]));
    return (applied) => {
      if (!applied) return;
      for (const uri of others) this.landed.file(turn.id, vscode.Uri.parse(uri).toString());
      for (const [uri, text] of before) void this.note(turn.id, uri, text);
    };
  }

  /** The turn was taken back, or is forgotten. */
  forget(turnId: string): void {
    this.landed.forget(turnId);
    this.told.delete(turnId);
  }

  private async note(turn: string, uri: vscode.Uri, before: string | undefined): Promise<void> {
    const after = open(uri)?.getText();
    if (after === undefined) return; // it was written to the disk, which Ctrl+Z does not reach
    // Of a document that was opened for the edit the text before is still on the disk.
    const was = before ?? (await diskText(uri));
    if (was === undefined) this.landed.file(turn, uri.toString());
    else this.landed.text(turn, uri.toString(), was, after);
  }

  private look(): void {
    this.timer = undefined;
    const ids = [...this.touched];
    this.touched.clear();
    for (const id of ids) {
      const turn = this.turns.get(id);
      if (!turn) continue;
      const standing = this.landed.standing(id, (uri) => open(vscode.Uri.parse(uri))?.getText());
      if (turn.standing === standing.how) continue;
      turn.standing = standing.how;
      this.changed(turn);
      if (standing.how === 'part' && !this.told.has(id)) void this.tell(id, standing);
    }
  }

  private async tell(id: string, { back, files: all }: Standing): Promise<void> {
    this.told.add(id);
    const rest = 'Undo the Rest';
    const text = back < all ? `was undone in ${back} of ${files(all)}` : `was partly undone in ${files(back)}`;
    const picked = await vscode.window.showInformationMessage(`Coauthor: the change ${text}.`, rest);
    this.told.delete(id);
    if (picked === rest) await this.undo(id);
  }
}

function open(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
}

async function diskText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined; // it is new
  }
}
