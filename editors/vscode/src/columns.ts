// In which column the diff of a new proposal opens by itself. Pure.
//
// A document that opens over the one being typed in swallows keys, so a diff opens only where nothing is covered.

export interface Screen {
  /** The column that shows a diff of ours, where there is one. */
  ours: number | undefined;
  /** The columns that there are. */
  columns: number;
  /** Whether the focus is in the chat view, so that nobody types in an editor. */
  inChat: boolean;
  /** Whether any document is open in the active column. */
  empty: boolean;
}

export type Place = { column: number | 'active' | 'beside' } | 'notify';

export function place(screen: Screen): Place {
  if (screen.ours !== undefined) return { column: screen.ours };
  if (screen.inChat || screen.empty) return { column: 'active' };
  return screen.columns <= 1 ? { column: 'beside' } : 'notify';
}
