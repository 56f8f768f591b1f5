import type { Hunk } from '../src/protocol';

const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 0 } });

/** A hunk at the first line. */
export const hunk = (number: number, state?: Hunk['state']): Hunk => ({ number, oldRange: at(0), oldText: '', newText: 'x\n', ...(state && { state }) });
