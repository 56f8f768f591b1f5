// Where the hunks of a change stand in a text. Pure.
//
// The server tells both texts and the places in them. While it cannot be asked, they are made here: a proposal names its
// places in the text that it was made on. The user may have typed since, and hunks may have landed, so each open hunk is looked for in the text as it is now: at the place where it should be, else where its old
// lines stand exactly once. What is found nowhere is left out of the new text; the server decides about it.

import { isOpenHunk } from './proposals';
import type { Hunk, PendingFile, TextsView } from './protocol';

export interface Placed {
  number: number;
  /** First line in the new text. */
  line: number;
  /** How many lines it has there. */
  lines: number;
}

export interface Texts {
  before: string;
  after: string;
  placed: Placed[];
  /** Numbers of open hunks whose place is not known. */
  lost: number[];
}

/** Both sides as the server tells them. */
export function fromServer(view: TextsView): Texts {
  const fit = view.hunks.filter((h) => !h.conflict);
  return {
    before: view.base ?? '',
    after: view.new ?? '',
    placed: fit.map((h) => ({ number: h.number, line: h.newRange.start.line, lines: lineCount(h.newRange) })),
    lost: view.hunks.filter((h) => h.conflict).map((h) => h.number),
  };
}

/** A last line without a break counts too. */
function lineCount({ start, end }: TextsView['hunks'][number]['newRange']): number {
  return end.line - start.line + (end.character > 0 ? 1 : 0);
}

/** Splits a text into lines, each with its line break. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function stands(at: number, lines: string[], want: string[]): boolean {
  return at >= 0 && at + want.length <= lines.length && want.every((l, i) => same(l, lines[at + i] ?? ''));
}

/** Lines are the same when their line breaks differ. */
function same(a: string, b: string): boolean {
  return a === b || a.replace(/\r?\n$/, '') === b.replace(/\r?\n$/, '');
}

/** The line at which old lines stand: at the one that is expected, else at the only other one. */
export function find(lines: string[], want: string[], expected: number): number | undefined {
  if (stands(expected, lines, want)) return expected;
  if (want.length === 0) return undefined;
  let found: number | undefined;
  for (let at = 0; at + want.length <= lines.length; at++) {
    if (!stands(at, lines, want)) continue;
    if (found !== undefined) return undefined;
    found = at;
  }
  return found;
}

interface Spot {
  hunk: Hunk;
  at: number;
  old: number;
}

/** Both sides of the diff of a file: the text as it is now, and that text with the open hunks. */
export function texts(file: PendingFile, now: string): Texts {
  const lines = linesOf(now);
  const spots: Spot[] = [];
  const lost: number[] = [];
  let shift = 0; // by which what follows stands lower than in the text that the proposal was made on
  for (const hunk of file.hunks) {
    const old = linesOf(hunk.oldText);
    if (hunk.state === 'landed' || hunk.state === 'sent') {
      shift += linesOf(hunk.newText).length - old.length;
      continue;
    }
    if (!isOpenHunk(hunk)) continue;
    const at = find(lines, old, hunk.oldRange.start.line + shift);
    const last = spots.at(-1);
    if (at === undefined || (last && at < last.at + last.old)) {
      lost.push(hunk.number);
      continue;
    }
    shift = at - hunk.oldRange.start.line;
    spots.push({ hunk, at, old: old.length });
  }
  const out: string[] = [];
  const placed: Placed[] = [];
  let done = 0;
  for (const { hunk, at, old } of spots) {
    out.push(...lines.slice(done, at));
    const fresh = linesOf(hunk.newText);
    placed.push({ number: hunk.number, line: out.length, lines: fresh.length });
    out.push(...fresh);
    done = at + old;
  }
  out.push(...lines.slice(done));
  return { before: now, after: file.op === 'delete' ? '' : out.join(''), placed: file.op === 'delete' ? [] : placed, lost };
}

/** The hunk at a line of the new text: the one that has it, else the one right beside where lines were taken out. */
export function hunkAt(placed: Placed[], line: number): Placed | undefined {
  return (
    placed.find((p) => line >= p.line && line < p.line + p.lines) ??
    placed.find((p) => p.lines === 0 && (line === p.line || line === p.line - 1))
  );
}
