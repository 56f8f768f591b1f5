// Keys of VS Code that come in two: Ctrl+K, and one more. Pure.
//
// VS Code is told of every key that is pressed in the page, but the page gets it too: the second one of a pair would be written into
// the box, or would send what is in it.

/** After this VS Code waits for the second key no longer. */
const waits = 5000;

export interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  /** When it was pressed, in milliseconds. */
  timeStamp: number;
}

const modifiers = ['Control', 'Meta', 'Shift', 'Alt', 'AltGraph'];

export class Chords {
  private began: number | undefined;

  constructor(private readonly isMac: boolean) {}

  /** Whether a key that was pressed is a part of a pair, and so not meant for the page. */
  take(key: Key): boolean {
    if (modifiers.includes(key.key)) return false;
    const second = this.began !== undefined && key.timeStamp - this.began <= waits;
    this.began = !second && this.isFirst(key) ? key.timeStamp : undefined;
    return second || this.began !== undefined;
  }

  /** The page has lost the focus, with which VS Code stops waiting. */
  forget(): void {
    this.began = undefined;
  }

  private isFirst({ key, ctrlKey, metaKey, altKey, shiftKey }: Key): boolean {
    const wanted = this.isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
    return wanted && !altKey && !shiftKey && key.toLowerCase() === 'k';
  }
}
