// The chat view. The truth is here; the page shows the part of it that it was sent.

import * as vscode from 'vscode';
import { background } from '../log';
import type { Taken } from '../sending';
import type { Turn } from '../turns';
import type { Picture } from './attached';
import { html } from './html';
import { toHost, type Asked, type FileChip, type Foot, type PageCommand, type ToHost, type ToPage, type Waiting } from './messages';
import { head, type Talk } from './talk';

/** How often the page gets pieces of an answer, at most. */
const every = 100;

export interface Actions {
  send(text: string, mode: 'edit' | 'ask', pictures: Picture[]): Thenable<unknown>;
  stop(): Thenable<unknown>;
  retry(id: string): Thenable<unknown>;
  undo(id: string): Thenable<unknown>;
  /** Asks for what a change is without. */
  again(id: string): Thenable<unknown>;
  /** Runs a command that the answer suggests, which the user is asked about. */
  run(id: string, at: number): Thenable<unknown>;
  answer(id: string, answer: { choice: string } | { text: string }): Thenable<unknown>;
  /** Does something about a message that waits; what it returns is for the composer. */
  queued(id: string, to: 'edit' | 'now' | 'back'): Thenable<Taken | undefined>;
  questions(): Asked[];
  queue(): Waiting[];
  open(uri: string): Thenable<unknown>;
  files(command: 'addFile' | 'dropFile', uris: string[]): Thenable<unknown>;
  command(command: PageCommand): Thenable<unknown>;
  foot(): Foot;
  /** Puts what an earlier session said into the talk; says whether there may be more. */
  older(): Thenable<boolean>;
}

export class Chat implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private focused = false;
  private fetched = false;
  private readonly sent = new Map<string, number>(); // by entry, how much of its text the page has
  private timer: NodeJS.Timeout | undefined;
  private readonly registration: vscode.Disposable;

  constructor(
    private readonly folder: vscode.Uri,
    private readonly talk: Talk,
    private readonly actions: Actions,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.registration = vscode.window.registerWebviewViewProvider('coauthor.chat', this);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.registration.dispose();
  }

  get inFocus(): boolean {
    return this.focused && this.isVisible;
  }

  get isVisible(): boolean {
    return this.view?.visible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    view.webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.folder, 'dist')] };
    view.webview.onDidReceiveMessage((raw) => {
      const m = toHost(raw);
      if (m) background(this.log, 'chat', () => this.heard(m));
      else this.log.warn('chat: ignored an unknown message');
    });
    view.onDidDispose(() => {
      this.view = undefined;
      this.focused = false;
    });
    view.webview.html = html(this.folder, view.webview);
  }

  /** A turn has a new state, or is new. */
  turn(turn: Turn, words?: string): void {
    const known = this.talk.get(turn.id);
    const entry = this.talk.of(turn, words);
    if (!known || this.sent.has(entry.id)) {
      this.flush();
      this.sent.set(entry.id, this.sent.get(entry.id) ?? 0);
      this.post({ kind: 'turn', entry: head(entry) });
    }
  }

  /** The reply of a turn has grown. */
  grew(turn: Turn): void {
    this.talk.of(turn);
    this.timer ??= setTimeout(() => this.flush(), every);
  }

  files(id: string, files: FileChip[]): void {
    if (this.talk.files(id, files)) this.post({ kind: 'files', id, files });
  }

  foot(): void {
    this.post({ kind: 'foot', foot: this.actions.foot() });
  }

  /** What waits for an answer, or to be sent, has changed. */
  waiting(): void {
    this.post({ kind: 'questions', questions: this.actions.questions() });
    this.post({ kind: 'queue', queue: this.actions.queue() });
  }

  /** Puts a text and pictures into the composer, behind what is there. */
  draft(text: string, pictures: Picture[] = []): void {
    this.post({ kind: 'draft', text, pictures });
  }

  /** Sends the page everything again, as at its start. */
  reset(): void {
    const { entries, more } = this.talk.last();
    this.sent.clear();
    for (const e of entries) this.sent.set(e.id, e.text.length);
    this.post({ kind: 'reset', entries, more: more || entries.length > 0, foot: this.actions.foot() });
    this.waiting();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [id, from] of this.sent) {
      const text = this.talk.get(id)?.text ?? '';
      if (text.length <= from) continue;
      this.sent.set(id, text.length);
      this.post({ kind: 'delta', id, from, text: text.slice(from) });
    }
  }

  private post(m: ToPage): void {
    // A page that is hidden loses it, and asks for everything when it is shown again.
    void this.view?.webview.postMessage(m);
  }

  private async heard(m: ToHost): Promise<void> {
    switch (m.kind) {
      case 'ready':
        if (!this.fetched) {
          this.fetched = true; // what was said before this window comes first
          await this.actions.older();
        }
        this.reset();
        return;
      case 'send': {
        const sent = this.actions.send(m.text, m.mode, m.pictures);
        this.post({ kind: 'taken' }); // it stands among what waits, whatever becomes of it
        return void (await sent);
      }
      case 'add':
        return void (await this.actions.files('addFile', m.uris));
      case 'stop':
        return void (await this.actions.stop());
      case 'retry':
        return void (await this.actions.retry(m.id));
      case 'undo':
        return void (await this.actions.undo(m.id));
      case 'again':
        return void (await this.actions.again(m.id));
      case 'run':
        return void (await this.actions.run(m.id, m.at));
      case 'answer':
        await this.actions.answer(m.id, m.choice !== undefined ? { choice: m.choice } : { text: m.text ?? '' });
        return;
      case 'queued':
        await this.actions.queued(m.id, m.to).then((m) => m && this.draft(m.text, m.pictures));
        return;
      case 'copy':
        return void (await vscode.env.clipboard.writeText(m.text));
      case 'open':
        await this.actions.open(m.uri);
        return;
      case 'drop':
        return void (await this.actions.files('dropFile', [m.uri]));
      case 'link':
        await vscode.env.openExternal(vscode.Uri.parse(m.href));
        return;
      case 'older': {
        let page = this.talk.before(m.before);
        if (page.entries.length === 0 && (await this.actions.older())) page = this.talk.before(m.before);
        for (const e of page.entries) this.sent.set(e.id, e.text.length);
        this.post({ kind: 'older', ...page });
        return;
      }
      case 'focus':
        this.focused = m.on;
        return;
      case 'command':
        await this.actions.command(m.command);
    }
  }
}
