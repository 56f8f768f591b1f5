// What turns have brought into documents, so that it is seen when the user's own undo takes a part of it back. Pure.
//
// VS Code's Ctrl+Z takes back all documents of one edit of the server, and no file that was created, renamed or deleted; a
// turn may have come in several such edits.

/** How much of a turn stands. */
export interface Standing {
  /** All of it, some of it, or nothing. */
  how: 'whole' | 'part' | 'nothing';
  /** Files that were taken back, wholly or by a step. */
  back: number;
  files: number;
}

/** Turns that are remembered; they hold whole texts. */
const kept = 10;

export class Landed {
  /** By turn and file, the texts that it had one after the other; none for what was created, renamed or deleted. */
  private readonly byTurn = new Map<string, Map<string, string[]>>();

  /** A text has become another one. */
  text(turn: string, uri: string, before: string, after: string): void {
    const texts = this.files(turn).get(uri) ?? [];
    if (texts.at(-1) !== before) texts.push(before);
    texts.push(after);
    this.files(turn).set(uri, texts);
  }

  /** A file was created, renamed or deleted. */
  file(turn: string, uri: string): void {
    if (!this.files(turn).has(uri)) this.files(turn).set(uri, []);
  }

  forget(turn: string): void {
    this.byTurn.delete(turn);
  }

  /** The turns that have changed a document. */
  of(uri: string): string[] {
    return [...this.byTurn].filter(([, files]) => files.get(uri)?.length).map(([turn]) => turn);
  }

  /** How much of a turn stands, by the texts that the documents have now. */
  standing(turn: string, now: (uri: string) => string | undefined): Standing {
    const files = this.byTurn.get(turn) ?? new Map<string, string[]>();
    let back = 0;
    let wholly = 0;
    for (const [uri, texts] of files) {
      const text = now(uri);
      if (text === undefined || text === texts.at(-1)) continue;
      const at = texts.lastIndexOf(text);
      if (at < 0) continue; // the user has written something else
      back++;
      if (at === 0) wholly++;
    }
    const how = back === 0 ? 'whole' : wholly === files.size ? 'nothing' : 'part';
    return { how, back, files: files.size };
  }

  private files(turn: string): Map<string, string[]> {
    let files = this.byTurn.get(turn);
    if (!files) {
      this.byTurn.set(turn, (files = new Map<string, string[]>()));
      const oldest = this.byTurn.keys().next().value;
      if (this.byTurn.size > kept && oldest !== undefined) this.byTurn.delete(oldest);
    }
    return files;
  }
}
