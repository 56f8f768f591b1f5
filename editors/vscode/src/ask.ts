// The box in which an instruction is written: a comment box under the selection, where there can be one, else an input
// box of one line. It takes several lines, completes, and holds what was asked before.

import * as vscode from 'vscode';
import { complete, type Word } from './askwords';
import { EarlyKeys } from './earlykeys';
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
  answer: Promise<Asked | undefined>;
  settle(asked: Asked | undefined): void;
}

const historyKey = 'coauthor.instructions';
/** Until the comment box opens: what only a hang takes, as keys can be lost on the way to the box of one line; less where comments are hidden. */
const openWithin = (doc: vscode.TextDocument) => (vscode.workspace.getConfiguration('comments', doc).get('visible', true) ? 20_000 : 3000);
/** VS Code takes in where comments may stand after it has asked; on a busy machine that takes longer, as the question did. */
const settled = 150;

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

export class InstructionBox implements vscode.Disposable {
  private box: Box | undefined;
  private opening: Promise<Box | undefined> = Promise.resolve(undefined);
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly memory: vscode.Memento,
    private readonly words: () => readonly Word[],
  ) {
    const command = (id: string, run: (reply?: vscode.CommentReply) => unknown) =>
      vscode.commands.registerCommand(`coauthor.client.${id}`, async (reply?: vscode.CommentReply) => {
        await this.opening; // what was typed before it was there is in the box then
        await run(reply);
      });
    this.subscriptions = [
      command('boxChange', (reply) => this.submit('edit', reply)),
      command('boxAsk', (reply) => this.submit('ask', reply)),
      command('boxSend', (reply) => this.submit('send', reply)),
      command('boxOlder', () => this.step(1)),
      command('boxNewer', () => this.step(-1)),
      command('boxCancel', () => this.cancel()),
      vscode.languages.registerCompletionItemProvider({ scheme: 'comment' }, { provideCompletionItems: (d, p) => (this.box ? complete(d, p, this.words()) : []) }, '/', '@'),
    ];
  }

  dispose(): void {
    this.finish(undefined);
    this.subscriptions.forEach((s) => void s.dispose());
  }

  /** Asks for an instruction about the active editor; undefined: the user thought better of it. */
  async ask(prompt: string, how: How): Promise<Asked | undefined> {
    this.finish(undefined);
    const active = vscode.window.activeTextEditor;
    const editor = active && ['file', 'untitled'].includes(active.document.uri.scheme) ? active : undefined;
    if (!editor) return this.line(prompt, how, '');
    const keys = new EarlyKeys(editor);
    let typed = '';
    this.opening = this.open(editor, prompt, how).then(async (box) => {
      typed = await keys.take();
      keys.dispose();
      if (box) await this.lead(typed);
      return box;
    });
    const box = await this.opening;
    if (!box) return this.line(prompt, how, typed);
    const asked = await box.answer;
    if (asked) this.remember(asked.text);
    return asked;
  }

  /** One line, where there is no place for the box. */
  private async line(prompt: string, how: How, value: string): Promise<Asked | undefined> {
    const text = await vscode.window.showInputBox({ title: 'Coauthor', prompt, value, valueSelection: [value.length, value.length], ignoreFocusOut: true });
    if (!text?.trim()) return undefined;
    this.remember(text.trim());
    return { text: text.trim(), how };
  }

  /** Opens the comment box; undefined when it did not open. */
  private async open(editor: vscode.TextEditor, prompt: string, how: How): Promise<Box | undefined> {
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
    const box: Box = { doc, selection: editor.selection, controller, column: editor.viewColumn, place: -1, answer, settle };
    await Promise.race([wanted, pause(openWithin(doc))]);
    if (vscode.window.activeTextEditor !== editor) {
      controller.dispose(); // the user went elsewhere meanwhile
      return undefined;
    }
    this.box = box; // its keys are known before it is there, so that the first of them is not another's
    await vscode.commands.executeCommand('setContext', 'coauthor.box', how === 'send' ? 'send' : 'edit');
    void vscode.commands.executeCommand('workbench.action.addComment').then(undefined, () => undefined);
    for (const end = Date.now() + openWithin(doc); Date.now() < end && !inBox(); ) await pause(20);
    if (inBox()) return box;
    this.close(box);
    return undefined;
  }

  /** Puts what was typed before the box was there in front of what was typed in it. */
  private async lead(text: string): Promise<void> {
    const editor = inBox();
    const put = () => editor?.edit((e) => e.insert(new vscode.Position(0, 0), text)).then(undefined, () => undefined);
    while (text && (await put()) === false) await pause(20); // a key was on its way
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
      const picked = await vscode.window.showWarningMessage('Discard the instruction?', { modal: true }, 'Discard');
      if (picked !== 'Discard') return;
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
}

/** The editor of the box, when the focus is in it. */
function inBox(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.scheme === 'comment' ? editor : undefined;
}
