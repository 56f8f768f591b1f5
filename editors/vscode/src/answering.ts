// Questions of the server: they stand in the chat, in the tree and in the status bar until they are answered.

import * as vscode from 'vscode';
import { background } from './log';
import type { InputBoxParams, QuestionParams } from './protocol';
import type { Questions } from './questions';
import type { Server } from './server';
import { line } from './text';

/** An answer as a row of the tree or a button has it. */
export interface AnswerRef {
  id: string;
  choice?: string;
}

/** A message has room for so many buttons. */
const mostButtons = 3;

interface Row extends vscode.QuickPickItem {
  run(): Thenable<unknown>;
}

export class Answering {
  constructor(
    private readonly server: Server,
    private readonly questions: Questions,
    private readonly chatIsVisible: () => boolean,
    /** Keeps a text that could not be sent as an answer. */
    private readonly keep: (text: string) => void,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** A question has come: where the chat is hidden, a message tells of it. It may go by; the question stays. */
  tell(q: QuestionParams): void {
    if (this.chatIsVisible()) return;
    const choices = q.choices ?? [];
    const here = !q.body && !q.freeText && choices.length > 0 && choices.length <= mostButtons;
    const buttons = here ? choices.map((c) => c.title) : ['Answer…'];
    const told = vscode.window.showInformationMessage(`Coauthor: ${q.text}`, ...buttons);
    background(this.log, 'a question', async () => {
      const picked = await told;
      if (!picked || !this.questions.get(q.id)) return;
      const choice = here ? choices.find((c) => c.title === picked)?.choice : undefined;
      await this.open({ id: q.id, ...(choice !== undefined && { choice }) });
    });
  }

  /** Answers with a choice, or asks for the answer; without an id to the oldest question. */
  async open(ref: Partial<AnswerRef> = {}): Promise<void> {
    const q = ref.id === undefined ? this.questions.open()[0] : this.questions.get(ref.id);
    if (!q) {
      void vscode.window.showInformationMessage('Coauthor: no open questions.');
      return;
    }
    if (ref.choice !== undefined) return this.send(q.id, { choice: ref.choice });
    if (q.body) return this.show(); // it is read before it is answered
    const rows: Row[] = (q.choices ?? []).map((c) => ({ label: c.title, run: () => this.send(q.id, { choice: c.choice }) }));
    if (rows.length === 0) return this.words(q);
    if (q.freeText) rows.push({ label: 'Type an answer…', run: () => this.words(q) });
    rows.push({ label: 'Show in the chat', run: () => this.show() });
    const picked = await vscode.window.showQuickPick(rows, { title: 'Coauthor: your answer is needed', placeHolder: q.text, ignoreFocusOut: true });
    await picked?.run();
  }

  async send(id: string, answer: { choice: string } | { text: string }): Promise<void> {
    const result = await this.server.run<{ status?: string }>('coauthor.answer', { questionId: id, ...answer });
    if (result?.status === 'none' && 'text' in answer) this.keep(answer.text);
  }

  private async words(q: QuestionParams): Promise<void> {
    const text = await vscode.window.showInputBox({ title: 'Coauthor: your answer', prompt: line(q.text, 400), ignoreFocusOut: true });
    if (text?.trim()) await this.send(q.id, { text: text.trim() });
  }

  private async show(): Promise<void> {
    await vscode.commands.executeCommand('coauthor.chat.focus');
  }
}

/** Asks for a line of text; null is no answer. */
export async function askLine(p: InputBoxParams): Promise<{ value: string } | null> {
  const value = await vscode.window.showInputBox({ title: 'Coauthor', prompt: p.prompt, value: p.value ?? '', ignoreFocusOut: true });
  return value === undefined ? null : { value };
}
