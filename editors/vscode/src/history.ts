// Walking through what was asked before. Pure.

/** The place after a step and the text there; place -1 is the empty box, 0 the newest. */
export function walk(older: readonly string[], place: number, by: number): { place: number; text: string } {
  const next = Math.max(-1, Math.min(place + by, older.length - 1));
  return { place: next, text: next < 0 ? '' : (older[next] ?? '') };
}
