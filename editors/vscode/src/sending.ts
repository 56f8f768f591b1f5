// Sends what the user has written, and keeps it while it cannot be sent.

import * as vscode from 'vscode';
import { arePictures, type Picture } from './chat/attached';
import { rowOf, type Commands } from './commands';
import type { CommandRow } from './generated';
import { message } from './log';
import { placeAgain, Queue, type Queued, type Sent } from './queue';
import type { Server } from './server';
import type { Turn, Turns } from './turns';

/** A message that was taken back, to be written on. */
export interface Taken {
  text: string;
  pictures: Picture[];
}

export class Sending {
  readonly queue: Queue;
  commands!: Commands;
  changed: () => void = () => undefined;

  constructor(
    memory: vscode.Memento,
    turns: Turns,
    private readonly server: Server,
    private readonly chatIsVisible: () => boolean,
  ) {
    this.queue = new Queue(memory, {
      send: (m) => this.send(m),
      busy: () => turns.running().length > 0,
      stop: () => this.server.run('coauthor.cancel'),
      changed: () => this.changed(),
    });
  }

  /** Sends a message as soon as nothing runs. A note says why it is not to be sent by itself. */
  add(row: CommandRow, argument: Record<string, unknown>, note?: string): Promise<void> {
    const words = typeof argument['instruction'] === 'string' ? argument['instruction'] : row.title;
    const selected = selectedIn(argument);
    return this.queue.add({ words, command: row.id, argument, ...(selected !== undefined && { selected }) }, note);
  }

  /** What the buttons of a message that waits do. */
  async queued(id: string, to: 'edit' | 'now' | 'back'): Promise<Taken | undefined> {
    if (to === 'now') {
      await this.queue.now(id, this.queue.all().find((m) => m.id === id)?.command !== 'ask');
      return undefined;
    }
    const m = this.queue.back(id);
    if (to !== 'edit' || !m) return undefined;
    const pictures = m.argument['pictures'];
    return { text: m.words, pictures: arePictures(pictures) ? pictures : [] };
  }

  /** A request has ended. */
  over(turn: Turn): Promise<void> {
    if (turn.state === 'failed') return this.queue.over('wrong', 'Not sent: the previous request failed.');
    if (turn.state === 'cancelled') return this.queue.over('wrong', 'Not sent: the previous request was stopped.');
    return this.queue.over('well');
  }

  /** Sends a command at once. What was written for it waits in the chat when it cannot be sent now. */
  async offer(row: CommandRow, argument: Record<string, unknown>): Promise<void> {
    const written = argument['instruction'] !== undefined;
    try {
      const result = await this.commands.send(row, argument);
      if (result?.status !== 'busy') return;
    } catch (err) {
      if (written) await this.add(row, argument, message(err));
      throw err;
    }
    if (!written) {
      const picked = await vscode.window.showWarningMessage('Coauthor: another request is running. Wait for it, or stop it.', 'Stop');
      if (picked === 'Stop') await this.server.run('coauthor.cancel');
      return;
    }
    await this.add(row, argument);
    if (this.chatIsVisible()) return;
    const picked = await vscode.window.showInformationMessage('Coauthor: another request is running. Yours will be sent when it ends.', 'Show');
    if (picked) await vscode.commands.executeCommand('coauthor.chat.focus');
  }

  private async send(m: Queued): Promise<Sent> {
    const result = await this.commands.send(rowOf(m.command), placed(m));
    return result?.status === 'busy' ? 'busy' : 'taken';
  }
}

/** The text of the place that an argument names; undefined where it names none. */
function selectedIn(argument: Record<string, unknown>): string | undefined {
  const doc = documentOf(argument);
  const range = rangeIn(argument);
  return doc && range ? doc.getText(range) : undefined;
}

function documentOf(argument: Record<string, unknown>): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((d) => d.uri.toString() === argument['uri']);
}

function rangeIn(argument: Record<string, unknown>): vscode.Range | undefined {
  const range = argument['range'] as { start: vscode.Position; end: vscode.Position } | undefined;
  return range && new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
}

/** The argument of a message with the place where what was selected stands now. */
function placed(m: Queued): Record<string, unknown> {
  const { argument } = m;
  const doc = documentOf(argument);
  const range = rangeIn(argument);
  if (!doc || !range || m.selected === undefined || doc.getText(range) === m.selected) return argument;
  const at = placeAgain(doc.getText(), m.selected);
  const { range: _r, version: _v, diagnostics: _d, ...rest } = argument;
  return at === undefined ? rest : { ...rest, range: { start: doc.positionAt(at), end: doc.positionAt(at + m.selected.length) } };
}
