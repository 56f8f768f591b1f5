// A notification with Cancel for turns that take long while the chat, which has a button for it, is hidden. One that waits for
// the user has none: what it asks is told elsewhere, with the buttons that answer it.

import * as vscode from 'vscode';
import { line } from './text';
import { isRunning, type Turn } from './turns';

const after = 3000;

export class Progress implements vscode.Disposable {
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly shown = new Map<string, { report(message: string): void; done(): void }>();

  constructor(
    private readonly chatIsVisible: () => boolean,
    private readonly asks: (turnId: string) => boolean,
    private readonly cancel: (turnId: string) => Thenable<unknown>,
  ) {}

  dispose(): void {
    for (const t of this.waiting.values()) clearTimeout(t);
    for (const s of this.shown.values()) s.done();
  }

  turn(turn: Turn): void {
    if (!isRunning(turn) || this.asks(turn.id)) {
      clearTimeout(this.waiting.get(turn.id));
      this.waiting.delete(turn.id);
      this.shown.get(turn.id)?.done();
      this.shown.delete(turn.id);
      return;
    }
    this.shown.get(turn.id)?.report(turn.message);
    if (!this.waiting.has(turn.id)) this.waiting.set(turn.id, setTimeout(() => this.show(turn), after));
  }

  private show(turn: Turn): void {
    if (this.chatIsVisible() || !isRunning(turn) || this.asks(turn.id)) return;
    const title = turn.label ? `Coauthor: ${line(turn.label, 60)}` : 'Coauthor';
    void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (progress, token) => {
      progress.report({ message: turn.message });
      token.onCancellationRequested(() => void this.cancel(turn.id));
      return new Promise<void>((done) => this.shown.set(turn.id, { report: (message) => progress.report({ message }), done }));
    });
  }
}
