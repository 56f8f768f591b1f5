// The changes that wait for the user. Pure: it knows no editor.

import type { Hunk, Pending, PendingFile } from './protocol';
import { files } from './text';

const open = new Set(['pending', 'partial', 'conflict', 'unverified']);
const waits = new Set(['pending', 'partial', 'conflict']);

export function isOpenHunk(h: Hunk): boolean {
  return h.state === undefined;
}

/** The files on which the user can still decide. */
export function openFiles(p: Pending): PendingFile[] {
  return p.files.filter((f) => (f.hunks.length === 0 ? f.state === undefined : f.hunks.some(isOpenHunk)));
}

export function isWaiting(p: Pending): boolean {
  return waits.has(p.state) && openFiles(p).length > 0;
}

export function size(list: PendingFile[]): string {
  const added = list.reduce((n, f) => n + f.added, 0);
  const removed = list.reduce((n, f) => n + f.removed, 0);
  return `${files(list.length)}, +${added} -${removed}`;
}

/** What a decision is about. The revision is the one that was shown. */
export interface Selector {
  turnId: string;
  proposalId: string;
  revision: number;
  files?: string[];
  hunks?: number[];
}

export function selector(p: Pending, file?: PendingFile, hunk?: number): Selector {
  const s: Selector = { turnId: p.turnId, proposalId: p.proposalId, revision: p.revision };
  if (file) s.files = [file.uri];
  if (file && hunk !== undefined) s.hunks = [hunk];
  return s;
}

export class Proposals {
  private readonly byId = new Map<string, Pending>();

  get(id: string): Pending | undefined {
    return this.byId.get(id);
  }

  /** Takes in a state of a proposal; fresh says that there is something in it that the user has not been offered yet. */
  take(p: Pending): { fresh: boolean; before: Pending | undefined } {
    const before = this.byId.get(p.proposalId);
    this.byId.delete(p.proposalId);
    if (open.has(p.state) || p.state === 'applying') this.byId.set(p.proposalId, p);
    return { fresh: isWaiting(p) && before?.revision !== p.revision, before };
  }

  /** The newest comes first. */
  waiting(): Pending[] {
    return [...this.byId.values()].filter(isWaiting).reverse();
  }

  /** Why there is nothing to decide on. */
  nothing(): string {
    const applying = [...this.byId.values()].some((p) => p.state === 'applying');
    return applying ? 'the change is being applied.' : 'no change is pending.';
  }

  clear(): void {
    this.byId.clear();
  }

  /** How many files wait, for the badge. */
  count(): number {
    return this.waiting().reduce((n, p) => n + openFiles(p).length, 0);
  }
}

/** The file after this one that still waits, going round; undefined when it is the last. */
export function nextFile(p: Pending, uri: string): PendingFile | undefined {
  const at = p.files.findIndex((f) => f.uri === uri);
  const round = [...p.files.slice(at + 1), ...p.files.slice(0, Math.max(at, 0))];
  const left = new Set(openFiles(p));
  return round.find((f) => left.has(f));
}

/** "a.ts (2 of 3, +4 -1)". */
export function title(p: Pending, file: PendingFile, name: string): string {
  const place = p.files.length > 1 ? `${p.files.indexOf(file) + 1} of ${p.files.length}, ` : '';
  return `${name} (${place}+${file.added} -${file.removed})`;
}
