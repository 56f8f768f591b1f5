// The box in which an instruction is written: a comment box under the selection, where there can be one, else an input
// box of one line. It takes several lines, completes, and holds what was asked before.

import * as vscode from 'vscode';
import { walk } from './history';

/** What is to become of an instruction: a change, an answer, or what was asked for from the start. */
export type How = 'edit' | 'ask' | 'send';

export interface Asked {
  text: string;
  how: How;
}

interface Box {
  doc: vscode.TextDocument;
  selection: vscode.Selection;
  controller: vscode.CommentController;
  column: vscode.ViewColumn | undefined;
  place: number; // in the older instructions; -1 is none of them
  settle(asked: Asked | undefined): void;
}

const historyKey = 'coauthor.instructions';
const openWithin = 3000;
/** VS Code takes in where comments may stand after it has asked; on a busy machine that takes longer, as the question did. */
const settled = 150;

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

export class InstructionBox implements vscode.Disposable {
  private box: Box | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly memory: vscode.Memento,
    private readonly words: () => readonly { word: string; doc: string }[],
  ) {
    const command = (id: string, run: (...args: never[]) => unknown) => vscode.commands.registerCommand(`coauthor.client.${id}`, run);
    this.subscriptions = [
      command('boxChange', (reply?: vscode.CommentReply) => this.submit('edit', reply)),
      command('boxAsk', (reply?: vscode.CommentReply) => this.submit('ask', reply)),
      command('boxSend', (reply?: vscode.CommentReply) => this.submit('send', reply)),
      command('boxOlder', () => this.step(1)),
      command('boxNewer', () => this.step(-1)),
      command('boxCancel', () => this.cancel()),
      vscode.languages.registerCompletionItemProvider({ scheme: 'comment' }, { provideCompletionItems: (d, p) => this.complete(d, p) }, '/', '@'),
    ];
  }

  dispose(): void {
    this.finish(undefined);
    this.subscriptions.forEach((s) => void s.dispose());
  }

  /** Asks for an instruction about the active editor; undefined: the user thought better of it. */
  async ask(prompt: string, how: How, value = ''): Promise<Asked | undefined> {
    this.finish(undefined);
    const editor = vscode.window.activeTextEditor;
    const box = editor && ['file', 'untitled'].includes(editor.document.uri.scheme) ? await this.open(editor, prompt, how) : undefined;
    if (!box) return this.line(prompt, how, value);
    if (value) await this.fill(value);
    const asked = await box.answer;
    if (asked) this.remember(asked.text);
    return asked;
  }

  /** One line, where there is no place for the box. */
  private async line(prompt: string, how: How, value: string): Promise<Asked | undefined> {
    const text = await vscode.window.showInputBox({ title: 'Coauthor', prompt, value, ignoreFocusOut: true });
    if (!text?.trim()) return undefined;
    this.remember(text.trim());
    return { text: text.trim(), how };
  }

  /** Opens the comment box; undefined when it did not open. */
  private async open(editor: vscode.TextEditor, prompt: string, how: How): Promise<{ answer: Promise<Asked | undefined> } | undefined> {
    const doc = editor.document;
    const controller = vscode.comments.createCommentController('coauthor', 'Coauthor');
    controller.options = { prompt, placeHolder: `${prompt}   / for commands, @ for files` };
    const began = Date.now();
    const wanted = new Promise<void>((done) => {
      controller.commentingRangeProvider = {
        provideCommentingRanges: (d) => {
          if (d.uri.toString() !== doc.uri.toString()) return [];
          setTimeout(done, Math.max(settled, 2 * (Date.now() - began)));
          return [new vscode.Range(0, 0, Math.max(0, d.lineCount - 1), 0)];
        },
      };
    });
    let settle: (asked: Asked | undefined) => void = () => undefined;
    const answer = new Promise<Asked | undefined>((done) => (settle = done));
    const box: Box = { doc, selection: editor.selection, controller, column: editor.viewColumn, place: -1, settle };
    await Promise.race([wanted, pause(openWithin)]);
    if (vscode.window.activeTextEditor !== editor) {
      controller.dispose(); // the user went elsewhere meanwhile
      return undefined;
    }
    this.box = box; // its keys are known before it is there, so that the first of them is not another's
    await vscode.commands.executeCommand('setContext', 'coauthor.box', how === 'send' ? 'send' : 'edit');
    void vscode.commands.executeCommand('workbench.action.addComment').then(undefined, () => undefined);
    for (let waited = 0; waited < openWithin && !inBox(); waited += 20) await pause(20);
    if (inBox()) return { answer }; // in an object, since a promise would be waited for
    this.close(box);
    return undefined;
  }

  private close(box: Box): void {
    box.controller.dispose();
    if (this.box !== box) return; // another one has taken its place
    this.box = undefined;
    void vscode.commands.executeCommand('setContext', 'coauthor.box', false);
  }

  private submit(how: How, reply?: vscode.CommentReply): void {
    const said = reply?.text ?? inBox()?.document.getText();
    if (said === undefined) return; // the box is there without the focus, and what is written in it stays
    reply?.thread.dispose();
    this.finish(said.trim() ? { text: said.trim(), how } : undefined);
  }

  /** Closes the box; with a text in it only after a question. */
  private async cancel(): Promise<void> {
    const text = inBox()?.document.getText().trim() ?? '';
    if (text) {
      const picked = await vscode.window.showWarningMessage('Throw the instruction away?', { modal: true }, 'Throw Away');
      if (picked !== 'Throw Away') return;
      this.remember(text);
    }
    this.finish(undefined);
  }

  private finish(asked: Asked | undefined): void {
    const { box } = this;
    if (!box) return;
    this.close(box);
    const how: vscode.TextDocumentShowOptions = { selection: box.selection };
    if (box.column !== undefined) how.viewColumn = box.column;
    void vscode.window.showTextDocument(box.doc, how).then(
      () => box.settle(asked),
      () => box.settle(asked),
    );
  }

  /** Puts an older or newer instruction into the box. */
  private async step(by: number): Promise<void> {
    const { box } = this;
    if (!box) return;
    const { place, text } = walk(this.history(), box.place, by);
    box.place = place;
    await this.fill(text);
  }

  private async fill(text: string): Promise<void> {
    const editor = inBox();
    if (!editor) return;
    const all = new vscode.Range(0, 0, editor.document.lineCount, 0);
    await editor.edit((e) => e.replace(editor.document.validateRange(all), text));
  }

  private history(): string[] {
    return this.memory.get<string[]>(historyKey) ?? [];
  }

  private remember(text: string): void {
    void this.memory.update(historyKey, [text, ...this.history().filter((t) => t !== text)].slice(0, 50));
  }

  private async complete(doc: vscode.TextDocument, at: vscode.Position): Promise<vscode.CompletionItem[]> {
    if (!this.box) return [];
    const before = doc.lineAt(at.line).text.slice(0, at.character);
    if (at.line === 0 && /^\/\w*$/.test(before)) {
      const over = new vscode.Range(0, 0, 0, at.character);
      return this.words().map(({ word, doc: says }) => {
        const item = new vscode.CompletionItem(`/${word}`, vscode.CompletionItemKind.Keyword);
        item.detail = says;
        item.range = over;
        return item;
      });
    }
    const named = /@([^\s@]*)$/.exec(before);
    if (!named) return [];
    const over = new vscode.Range(at.line, at.character - named[0].length, at.line, at.character);
    const found = await vscode.workspace.findFiles(`**/*${(named[1] ?? '').replace(/[{}[\]*?!]/g, '')}*`, undefined, 50);
    return found.map((uri) => {
      const name = vscode.workspace.asRelativePath(uri, false);
      const item = new vscode.CompletionItem(`@${name}`, vscode.CompletionItemKind.File);
      item.insertText = name;
      item.range = over;
      return item;
    });
  }
}

/** The editor of the box, when the focus is in it. */
function inBox(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.scheme === 'comment' ? editor : undefined;
}
