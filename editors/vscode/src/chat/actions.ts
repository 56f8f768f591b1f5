// What the chat's buttons do.

import * as vscode from 'vscode';
import type { AskedBefore } from '../asked';
import type { Commands } from '../commands';
import { rowOf } from '../commands';
import { schemeDraft, schemeNew, sideOf, type Documents } from '../documents';
import { draftState, type Drafts } from '../drafts';
import type { Answering } from '../answering';
import type { FirstRun } from '../firstRun';
import { method, type Pending, type PendingFile, type Transcript } from '../protocol';
import type { Questions } from '../questions';
import { waitsNote, type Queued } from '../queue';
import type { Sending, Taken } from '../sending';
import type { Server } from '../server';
import type { Status } from '../status';
import { targetOf } from '../target';
import { baseName, usage } from '../text';
import type { Turns } from '../turns';
import type { Picture } from './attached';
import type { Actions, Chat } from './host';
import type { Asked, ChatFile, FileChip, Foot, PageCommand, Waiting } from './messages';
import { pageSize, told, type Talk } from './talk';

interface StatusResult {
  model?: string;
  /** What is missing before that model can be asked. */
  lacks?: string;
  files?: string[];
  readOnly?: string[];
}

export class ChatActions implements Actions {
  commands!: Commands;
  firstRun!: FirstRun;
  private model = '';
  private lacks = '';
  private inChat: ChatFile[] = [];
  private oldest = 0; // number of the oldest entry that was fetched; 0 for none
  private more = true;

  constructor(
    private readonly sending: Sending,
    private readonly asks: Questions,
    private readonly answering: Answering,
    private readonly server: Server,
    private readonly turns: Turns,
    private readonly talk: Talk,
    private readonly asked: AskedBefore,
    private readonly documents: Documents,
    private readonly drafts: Drafts,
    private readonly status: Status,
  ) {}

  async send(text: string, mode: 'edit' | 'ask', pictures: Picture[] = []): Promise<void> {
    const target = targetOf(vscode.window.activeTextEditor, this.server.client);
    await this.sending.add(rowOf(mode), { ...target, instruction: text, ...(pictures.length > 0 && { pictures }) });
  }

  questions(): Asked[] {
    return this.asks.open().map((q) => ({
      id: q.id,
      about: (q.turnId && this.talk.get(q.turnId)?.words) || '',
      text: q.text,
      body: q.body ?? '',
      choices: q.choices ?? [],
      freeText: q.freeText ?? false,
    }));
  }

  answer(id: string, answer: { choice: string } | { text: string }): Promise<void> {
    return this.answering.send(id, answer);
  }

  queue(): Waiting[] {
    const { queue } = this.sending;
    const runs = this.turns.running().length > 0;
    const asked = this.asks.open().length > 0;
    const note = (m: Queued) => (asked && m.note === waitsNote ? 'Waiting for your answer above.' : m.note);
    return queue.all().map((m) => ({ id: m.id, words: m.words, note: note(m), sending: queue.isSending(m.id), stops: runs && m.command !== 'ask' }));
  }

  queued(id: string, to: 'edit' | 'now' | 'back'): Promise<Taken | undefined> {
    return this.sending.queued(id, to);
  }

  async again(id: string): Promise<void> {
    const result = await this.commands.send(rowOf('askAgain'), { turnId: id });
    if (result?.status === 'busy') throw new Error('another request is running; try again when it ends');
    const turn = this.turns.get(id);
    if (turn) turn.left = turn.left.filter((l) => !l.askable);
  }

  async run(id: string, at: number): Promise<void> {
    const command = this.talk.get(id)?.commands[at];
    if (command !== undefined) await this.sending.offer(rowOf('run'), { command });
  }

  async stop(): Promise<void> {
    await this.server.run('coauthor.cancel');
  }

  /** The last request is sent again as it was; an older one as a new request. */
  async retry(id: string): Promise<void> {
    const entry = this.talk.get(id);
    if (!entry) return;
    const before = this.asked.get(id);
    if (this.turns.last()?.id === id && entry.state === 'done') {
      const result = await this.server.run<{ status?: string; turnId?: string }>('coauthor.regenerate');
      if (result?.turnId) {
        this.commands.started(result.turnId, entry.words, before?.command ?? 'regenerate', before?.argument ?? {});
        return;
      }
    }
    if (before) await this.sending.offer(rowOf(before.command), { ...before.argument });
    else await this.send(entry.words, entry.files.length > 0 ? 'edit' : 'ask');
  }

  async undo(turnId: string): Promise<void> {
    await this.server.run('coauthor.undoTurn', { turnId });
  }

  async open(uri: string): Promise<void> {
    const at = vscode.Uri.parse(uri);
    const draft = this.drafts.get(at.query);
    const file = draft?.files.find((f) => vscode.Uri.parse(f.uri).path === at.path);
    const about = draft && file ? { proposal: draft, file } : this.documents.about(at);
    if (about) await vscode.commands.executeCommand('coauthor.client.openFile', { kind: 'file', ...about });
    else if ([schemeNew, schemeDraft, 'file'].includes(at.scheme)) await vscode.window.showTextDocument(at.with({ scheme: 'file', query: '' }));
  }

  async command(command: PageCommand): Promise<void> {
    switch (command) {
      case 'local':
        return this.firstRun.findLocal();
      case 'key':
        return this.firstRun.addKey();
      case 'doctor':
        return this.firstRun.check();
      case 'model':
        return void (await vscode.commands.executeCommand('coauthor.setModel'));
      case 'walkthrough':
      case 'setting':
      case 'restart':
        return void (await vscode.commands.executeCommand(`coauthor.client.${command}`));
      case 'attach':
        return this.attach();
    }
  }
  /** Puts files into the chat, or takes them out of it. */
  async files(command: 'addFile' | 'dropFile', files: string[]): Promise<void> {
    await this.commands.send(rowOf(command), { files });
  }

  foot(): Foot {
    const ready = this.model !== '' && this.lacks === '';
    return { model: ready ? this.model : '', usage: usage(this.turns.total()), ready, lacks: this.lacks, problem: this.server.problem, files: this.inChat };
  }

  /** Puts the page of the transcript before what is known into the talk. */
  async older(): Promise<boolean> {
    if (!this.more) return false;
    const page = await this.server
      .request<Transcript>(method.getTranscript, { before: this.oldest, limit: pageSize })
      .catch((): Transcript => ({ uri: '', entries: [], more: false }));
    this.more = page.more;
    this.oldest = page.entries[0]?.number ?? this.oldest;
    const fresh = this.talk.prepend(page.entries.map(told));
    return fresh.length > 0 || page.more;
  }

  chip(p: Pending, file: PendingFile): FileChip {
    const name = baseName(file.newUri ?? file.uri);
    if (p.state !== draftState) return { name, uri: sideOf(schemeNew, p, file).toString() };
    return { name: `${name} +${file.added} -${file.removed}`, uri: sideOf(schemeDraft, p, file).toString() };
  }

  /** Learns which model is in force. */
  async learn(chat: Chat): Promise<void> {
    const now = await this.server.run<StatusResult>('coauthor.status').catch(() => undefined);
    if (!now) return; // it is gone, or busy: what was known stays
    this.model = now.model ?? '';
    this.lacks = now.lacks ?? '';
    const chip = (uri: string) => ({ name: vscode.workspace.asRelativePath(vscode.Uri.parse(uri), false), uri });
    this.inChat = [...(now.files ?? []).map(chip), ...(now.readOnly ?? []).map((uri) => ({ ...chip(uri), readOnly: true }))];
    const { ready } = this.foot();
    this.status.model = ready ? this.model : '';
    void vscode.commands.executeCommand('setContext', 'coauthor.model', ready);
    this.status.set(ready ? 'ready' : 'noModel');
    chat.foot();
  }

  private async attach(): Promise<void> {
    const picked = (await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: 'Add to Chat' })) ?? [];
    if (picked.length > 0) await this.files('addFile', picked.map((u) => u.toString()));
  }
}
