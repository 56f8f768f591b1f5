// What the server tells of turns. Pure: it knows no editor.

import type { QuestionParams, Refused, StreamParams, TurnParams, Usage } from './protocol';

export interface Turn {
  id: string;
  state: string;
  label: string;
  message: string;
  /** State of its proposal; '' while there is none. */
  became: string;
  /** How much of it stands after the user's own undo. */
  standing: 'whole' | 'part' | 'nothing';
  text: string;
  thinking: string;
  usage: Usage | undefined;
  /** What its change is without. */
  left: Refused[];
  /** The commands for the shell that its answer suggests. */
  commands: string[];
  /** What the user was asked, with the answers. */
  asked: string[];
  /** When it was first heard of, in milliseconds. */
  started: number;
}

const running = new Set(['queued', 'collecting', 'requesting', 'streaming', 'verifying', 'reflecting']);
const ended = new Set(['answered', 'proposed', 'failed', 'cancelled']);

/** Turns that are remembered. */
const kept = 200;

/** The most of a reply that is held here; the server has all of it. */
const mostText = 1 << 20;

export function isRunning(turn: Turn): boolean {
  return running.has(turn.state);
}

export class Turns {
  private readonly byId = new Map<string, Turn>();

  constructor(private readonly now: () => number) {}

  get(id: string): Turn | undefined {
    return this.byId.get(id);
  }

  /** The turn of that id, made when it is new. */
  of(id: string): Turn {
    let turn = this.byId.get(id);
    if (!turn) {
      turn = { id, state: 'queued', label: '', message: '', became: '', standing: 'whole', text: '', thinking: '', usage: undefined, left: [], commands: [], asked: [], started: this.now() };
      this.byId.set(id, turn);
      const oldest = this.byId.keys().next().value;
      if (this.byId.size > kept && oldest !== undefined) this.byId.delete(oldest);
    }
    return turn;
  }

  /** Takes in a state; says whether the turn ended with it. States of its proposal come later and are no states of the turn. */
  changed(p: TurnParams): { turn: Turn; over: boolean } {
    const known = this.byId.has(p.turnId);
    const turn = this.of(p.turnId);
    const wasOver = ended.has(turn.state);
    if (running.has(p.state) || ended.has(p.state)) {
      turn.state = p.state;
      turn.message = p.message ?? '';
    } else {
      turn.became = p.state;
      turn.standing = 'whole';
      if (!known) turn.state = 'proposed'; // it is of an earlier window
    }
    turn.label = p.label ?? turn.label;
    turn.usage = p.usage ?? turn.usage;
    turn.left = p.refused ?? turn.left;
    turn.commands = p.commands ?? turn.commands;
    return { turn, over: !wasOver && ended.has(turn.state) };
  }

  /** Takes in a piece of the reply. Edits are shown as a diff, not as text. */
  streamed(p: StreamParams): Turn {
    const turn = this.of(p.turnId);
    switch (p.channel) {
      case 'reasoning':
        turn.thinking = (turn.thinking + p.delta).slice(-mostText);
        break;
      case 'answer':
        if (turn.text.length < mostText) turn.text += p.delta;
        break;
      case 'edit':
        break;
    }
    return turn;
  }

  /** A question of a turn has its answer, or is asked. */
  answered(p: QuestionParams): Turn | undefined {
    const turn = p.turnId === undefined ? undefined : this.byId.get(p.turnId);
    if (turn && (p.state === 'answered' || p.state === 'defaulted')) turn.asked.push(`${p.text} ${p.state === 'defaulted' ? 'No answer: ' : 'Your answer: '}${p.answer || 'none'}`);
    return turn;
  }

  running(): Turn[] {
    return [...this.byId.values()].filter(isRunning);
  }

  /** The turn whose change the editor is being sent. */
  applying(): Turn | undefined {
    return [...this.byId.values()].findLast((t) => t.became === 'applying');
  }

  last(): Turn | undefined {
    return [...this.byId.values()].at(-1);
  }

  /** A turn of an earlier process, which was killed. */
  cut(id: string): Turn {
    const turn = this.of(id);
    turn.state = 'cancelled';
    turn.message = 'The request was interrupted.';
    return turn;
  }

  /** The server is gone, and with it what ran: returns those turns. */
  cutAll(): Turn[] {
    const cut = this.running();
    for (const turn of cut) {
      turn.state = 'cancelled';
      turn.message = 'The server stopped before the request ended.';
    }
    return cut;
  }

  /** What all turns used together; the cost is absent when that of one is unknown. */
  total(): Usage {
    const sum: Usage = { in: 0, out: 0 };
    let cost: number | undefined = 0;
    for (const { usage } of this.byId.values()) {
      if (!usage) continue;
      sum.in += usage.in;
      sum.out += usage.out;
      sum.estimated = sum.estimated || usage.estimated || false;
      cost = usage.cost === undefined || cost === undefined ? undefined : cost + usage.cost;
    }
    if (cost) sum.cost = cost;
    return sum;
  }
}
