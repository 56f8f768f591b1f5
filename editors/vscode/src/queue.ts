// Messages waiting to be sent, so that none of them is lost: while a request runs, while the server cannot be reached, and
// over the end of the window. Pure.

import type { Memento } from 'vscode';
import { alive } from './asked';

/** A message that waits. */
export interface Queued {
  id: string;
  /** What the user wrote. */
  words: string;
  /** The id of the command that sends it. */
  command: string;
  argument: Record<string, unknown>;
  /** The text that was selected, where the argument names its place. */
  selected?: string;
  /** Why it still waits. */
  note: string;
  /** Only the user sends it now. */
  held: boolean;
}

/** What became of a message that was sent. */
export type Sent = 'taken' | 'busy';

export interface Ports {
  send(message: Queued): Promise<Sent>;
  /** Whether a request runs. */
  busy(): boolean;
  /** Stops what runs. */
  stop(): Promise<unknown>;
  /** The list has changed. */
  changed(): void;
}

interface Kept extends Queued {
  /** The process in which it waits. */
  pid: number;
}

const queueKey = 'coauthor.queue';

export const waitsNote = 'Will be sent when the running request ends.';
export const aboveNote = 'Waiting for the message above.';

export class Queue {
  private list: Queued[] = [];
  private sending: string | undefined;
  private urgent: string | undefined;
  private made = 0;

  constructor(
    private readonly memory: Memento,
    private readonly ports: Ports,
  ) {}

  all(): readonly Queued[] {
    return this.list;
  }

  /** Whether a message is on its way, so that nothing can be done about it. */
  isSending(id: string): boolean {
    return this.sending === id;
  }

  /** Takes what waited in a window that is gone. It is sent when the user says so. */
  restore(): void {
    const kept = this.memory.get<Kept[]>(queueKey) ?? [];
    const mine = kept.filter((k) => k.pid !== process.pid && !alive(k.pid));
    for (const { pid: _, ...m } of mine) this.list.push({ ...m, held: true, note: 'Not sent before the window was closed.' });
    if (mine.length > 0) this.changed();
  }

  /** Takes a message in; it is sent as soon as nothing runs. A note says why it is not to be sent by itself. */
  async add(message: Pick<Queued, 'words' | 'command' | 'argument' | 'selected'>, note?: string): Promise<void> {
    const waits = this.list[0]?.held ? aboveNote : this.ports.busy() ? waitsNote : '';
    this.list.push({ ...message, id: `m${process.pid}-${++this.made}`, note: note ?? waits, held: note !== undefined });
    this.changed();
    await this.next();
  }

  /** A request has ended. What waits is not sent behind one that was stopped, or came to nothing. */
  async over(went: 'well' | 'wrong', why = ''): Promise<void> {
    if (went === 'wrong') {
      for (const m of this.list) if (m.id !== this.urgent && m.id !== this.sending) Object.assign(m, { held: true, note: why });
      this.changed();
    }
    await this.next();
  }

  /** Takes a message back: returns it. One that is being sent is not to be had any more. */
  back(id: string): Queued | undefined {
    const m = this.list.find((q) => q.id === id);
    if (!m || this.sending === id) return undefined;
    this.remove(id);
    void this.next(); // which may have waited for it
    return m;
  }

  /** Sends a message before all others, and stops what is in its way. */
  async now(id: string, stops: boolean): Promise<void> {
    const m = this.list.find((q) => q.id === id);
    if (!m || this.sending !== undefined) return;
    this.list = [m, ...this.list.filter((q) => q !== m)];
    Object.assign(m, { held: false, note: '' });
    this.urgent = id;
    this.changed();
    if (stops && this.ports.busy()) await this.ports.stop();
    await this.next(!stops);
  }

  private async next(beside = false): Promise<void> {
    const m = this.list[0];
    if (!m || m.held || this.sending !== undefined || (this.ports.busy() && !beside)) return;
    this.sending = m.id;
    m.note = 'Sending…';
    this.changed();
    try {
      const sent = await this.ports.send(m);
      this.sending = undefined;
      if (sent === 'taken') this.remove(m.id);
      else m.note = waitsNote;
    } catch (err) {
      this.sending = undefined;
      for (const q of this.list) Object.assign(q, { held: true, note: aboveNote });
      m.note = err instanceof Error ? err.message : String(err);
    }
    if (this.urgent === m.id) this.urgent = undefined;
    this.changed();
    if (m.note !== waitsNote) await this.next();
  }

  private remove(id: string): void {
    this.list = this.list.filter((q) => q.id !== id);
    this.changed();
  }

  private changed(): void {
    const others = (this.memory.get<Kept[]>(queueKey) ?? []).filter((k) => k.pid !== process.pid && alive(k.pid));
    // Complaints and versions are of the text as it was then.
    const mine = this.list.map(({ argument: { diagnostics: _d, ...argument }, ...m }): Kept => ({ ...m, argument, pid: process.pid }));
    void this.memory.update(queueKey, [...others, ...mine]);
    this.ports.changed();
  }
}

/** Where a text that was selected stands now: where it did, or the one other place that it can mean. */
export function placeAgain(text: string, selected: string): number | undefined {
  const at = text.indexOf(selected);
  return selected !== '' && at >= 0 && text.indexOf(selected, at + 1) < 0 ? at : undefined;
}
