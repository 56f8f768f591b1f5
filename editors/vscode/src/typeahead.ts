// What was typed at the cursor while the place for it was still on its way. Pure.

/** A change of a text, as VS Code tells it: offsets are of the text before the event. */
export interface Change {
  rangeOffset: number;
  rangeLength: number;
  text: string;
}

/** A piece of a text that another one is to replace. */
export interface Piece {
  start: number;
  end: number;
  text: string;
}

interface Place extends Piece {
  typed: boolean; // text is what was there before
}

export class TypeAhead {
  private readonly places: Place[];
  private mixed = false;

  /** Begins with the text and what is selected in it, the first of which counts where there are several. */
  constructor(text: string, selected: readonly { start: number; end: number }[]) {
    this.places = selected.map(({ start, end }) => ({ start, end, text: text.slice(start, end), typed: false }));
  }

  /** Takes in the changes of one event. */
  take(changes: readonly Change[]): void {
    for (const p of this.places) p.typed ||= types(p, changes);
    // From the end on, each is what it would be if it was alone.
    for (const c of [...changes].sort((a, b) => b.rangeOffset - a.rangeOffset)) {
      for (const p of this.places) if (!move(p, c)) this.mixed = true;
    }
  }

  /**
   * What was typed up to the cursor, and how the text becomes again what it was. Undefined: nothing was typed, or something
   * else has changed the text right there.
   */
  back(text: string, cursor: number): { said: string; pieces: Piece[] } | undefined {
    const typed = this.places.filter((p) => p.typed);
    const first = this.places[0];
    if (this.mixed || !first || typed.length === 0) return undefined;
    // Behind the cursor is what VS Code has closed by itself: brackets and quotes.
    const end = cursor >= first.start && cursor <= first.end ? cursor : first.end;
    return { said: first.typed ? text.slice(first.start, end).replaceAll('\r\n', '\n') : '', pieces: typed.map(({ start, end: to, text: was }) => ({ start, end: to, text: was })) };
  }
}

const within = (p: Place, c: Change) => c.rangeOffset >= p.start && c.rangeOffset + c.rangeLength <= p.end;

/** Whether changes are those of a key at a place: it replaces what is selected, or is put around it, as brackets are. */
function types(p: Place, changes: readonly Change[]): boolean {
  const here = changes.filter((c) => within(p, c));
  const [one, other] = here;
  if (here.length === 1) return one?.rangeOffset === p.start && one.rangeLength === p.end - p.start;
  const ends = [one?.rangeOffset, other?.rangeOffset];
  return here.length === 2 && here.every((c) => c.rangeLength === 0) && ends.includes(p.start) && ends.includes(p.end);
}

/** Moves a place as a change moves it; false: the change is partly inside. */
function move(p: Place, c: Change): boolean {
  const [end, by] = [c.rangeOffset + c.rangeLength, c.text.length - c.rangeLength];
  if (within(p, c)) {
    if (!p.typed) p.text = p.text.slice(0, c.rangeOffset - p.start) + c.text + p.text.slice(end - p.start);
    p.end += by;
  } else if (end <= p.start) {
    p.start += by;
    p.end += by;
  } else if (c.rangeOffset < p.end) return false;
  return true;
}
