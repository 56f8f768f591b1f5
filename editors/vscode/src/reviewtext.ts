// The text of a file before what is under review. Pure.

import { linesOf } from './hunks';
import type { ReviewFile } from './protocol';

/** Takes every hunk that stands in the text back, from the last to the first. */
export function before(now: string, changes: readonly ReviewFile[]): string {
  const lines = linesOf(now);
  const hunks = changes.flatMap((f) => f.hunks).flatMap((h) => (h.range ? [{ range: h.range, old: h.oldText }] : []));
  hunks.sort((a, b) => b.range.start.line - a.range.start.line);
  for (const { range, old } of hunks) {
    const end = range.end.line + (range.end.character > 0 ? 1 : 0);
    lines.splice(range.start.line, Math.max(0, end - range.start.line), ...linesOf(old));
  }
  return lines.join('');
}
