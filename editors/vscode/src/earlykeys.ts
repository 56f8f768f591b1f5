// Keys that came after a command was given and before the place that it opens had the focus. They went into the file.

import * as vscode from 'vscode';
import { TypeAhead } from './typeahead';

/** An edit that meets a key on its way is refused; so often it is tried again. */
const tries = 100;

export class EarlyKeys implements vscode.Disposable {
  private readonly selections: readonly vscode.Selection[];
  private readonly ahead: TypeAhead;
  private readonly subscription: vscode.Disposable;

  /** From now on. */
  constructor(private readonly editor: vscode.TextEditor) {
    const doc = editor.document;
    this.selections = editor.selections;
    const place = (s: vscode.Selection) => ({ start: doc.offsetAt(s.start), end: doc.offsetAt(s.end) });
    this.ahead = new TypeAhead(doc.getText(), this.selections.map(place));
    this.subscription = vscode.workspace.onDidChangeTextDocument((e) => {
      if (e.document === doc) this.ahead.take(e.contentChanges);
    });
  }

  dispose(): void {
    this.subscription.dispose();
  }

  /** Puts the file and its selection back as they were, and returns what was typed. */
  async take(): Promise<string> {
    const { editor } = this;
    const doc = editor.document;
    for (let tried = 0; tried < tries; tried++) {
      const back = this.ahead.back(doc.getText(), doc.offsetAt(editor.selection.start));
      if (!back) break;
      const put = (e: vscode.TextEditorEdit) => back.pieces.forEach((p) => e.replace(new vscode.Range(doc.positionAt(p.start), doc.positionAt(p.end)), p.text));
      // Without a stop before it one undo takes both, the keys of the last word and this.
      const done = await editor.edit(put, { undoStopBefore: false, undoStopAfter: false }).then(undefined, () => undefined);
      if (done === undefined) break; // the editor is gone
      if (!done) {
        await new Promise((next) => setTimeout(next, 20));
        continue;
      }
      editor.selections = this.selections;
      return back.said;
    }
    return '';
  }
}
