// The conversation as the chat shows it. Pure.

import type { Turn } from '../turns';
import type { TranscriptEntry } from '../protocol';
import { usage } from '../text';
import type { Entry, FileChip } from './messages';

/** Entries that the page gets at first, and each time that the user scrolls to the top. */
export const pageSize = 50;

/** What to tell of a change in each of its states. */
const becameLine: Record<string, string> = {
  pending: 'A change is pending.',
  applying: 'Applying the change.',
  applied: 'The change was applied but not saved.',
  partial: 'Part of the change was applied.',
  unverified: 'Could not confirm that the change was applied.',
  conflict: 'You edited the same lines.',
  discarded: 'The change was discarded.',
  undone: 'The change was undone.',
  superseded: 'A newer change replaced this one.',
};

/** What to tell of a change that the user's own undo has reached. */
const standingLine = { part: 'Part of the change was undone.', nothing: 'The change was undone.' };

const undoable = (became: string) => became === 'applied' || became === 'partial' || became === 'unverified';

const ends: Record<string, Entry['state']> = { answered: 'done', proposed: 'done', failed: 'failed', cancelled: 'stopped' };

export class Talk {
  private readonly entries: Entry[] = [];

  all(): readonly Entry[] {
    return this.entries;
  }

  get(id: string): Entry | undefined {
    return this.entries.find((e) => e.id === id);
  }

  /** The entry of a turn; words are what the user asked, where that is known. */
  of(turn: Turn, words?: string): Entry {
    let entry = this.get(turn.id);
    if (!entry) {
      entry = { id: turn.id, words: '', text: '', state: 'running', line: '', usage: '', files: [], undo: false, part: false, asked: [], left: [], again: false, commands: [] };
      this.entries.push(entry);
    }
    entry.words = words ?? (entry.words || turn.label);
    entry.text = turn.text;
    entry.state = ends[turn.state] ?? 'running';
    entry.line = lineOf(turn);
    entry.undo = undoable(turn.became) && turn.standing !== 'nothing';
    entry.part = entry.undo && turn.standing === 'part';
    entry.usage = usage(turn.usage);
    entry.asked = [...turn.asked];
    entry.left = turn.left.map((l) => l.message);
    entry.again = turn.left.some((l) => l.askable);
    entry.commands = [...turn.commands];
    return entry;
  }

  files(id: string, files: FileChip[]): Entry | undefined {
    const entry = this.get(id);
    if (entry) entry.files = files;
    return entry;
  }

  /** Puts what an earlier session said before what is known. */
  prepend(older: Entry[]): Entry[] {
    const fresh = older.filter((o) => !this.get(o.id));
    this.entries.unshift(...fresh);
    return fresh;
  }

  clear(): void {
    this.entries.length = 0;
  }

  last(): { entries: Entry[]; more: boolean } {
    return { entries: this.entries.slice(-pageSize), more: this.entries.length > pageSize };
  }

  /** The page before an entry. */
  before(id: string): { entries: Entry[]; more: boolean } {
    const at = this.entries.findIndex((e) => e.id === id);
    if (at <= 0) return { entries: [], more: false };
    const from = Math.max(0, at - pageSize);
    return { entries: this.entries.slice(from, at), more: from > 0 };
  }
}

/** An entry of the server's transcript. */
export function told(e: TranscriptEntry): Entry {
  const became = e.became ?? '';
  return { id: e.turnId, words: e.request, text: e.answer, state: 'done', line: becameLine[became] ?? '', usage: '', files: [], undo: undoable(became), part: false, asked: [], left: [], again: false, commands: e.commands ?? [] };
}

function lineOf(turn: Turn): string {
  switch (turn.state) {
    case 'answered':
      return turn.message;
    case 'proposed':
      if (undoable(turn.became) && turn.standing !== 'whole') return standingLine[turn.standing];
      if (turn.left.length > 0 && ['', 'pending'].includes(turn.became)) return 'A change is pending; part of it was left out.';
      return (turn.became && becameLine[turn.became]) || turn.message || 'A change is pending.';
    case 'failed':
      return turn.message || 'The request failed.';
    case 'cancelled':
      return turn.message || 'Stopped; nothing was changed.';
    default:
      return turn.message || 'Starting';
  }
}

/** Without the text, which goes to the page in pieces. */
export function head(entry: Entry): Omit<Entry, 'text'> {
  const { text: _, ...rest } = entry;
  return rest;
}
