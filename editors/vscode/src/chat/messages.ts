// What the chat's page and the extension tell each other. Closed on both sides: what is no message of these is dropped.
// Pure.

import { arePictures, type Picture } from './attached';

export interface FileChip {
  name: string;
  uri: string;
}

/** A file that was added to the chat. */
export interface ChatFile extends FileChip {
  readOnly?: boolean;
}

/** One request with what became of it. */
export interface Entry {
  id: string;
  words: string;
  text: string;
  state: 'running' | 'done' | 'failed' | 'stopped';
  /** The line below: what is being done, or how it ended. */
  line: string;
  usage: string;
  files: FileChip[];
  /** Whether a change of it is in the files and can be taken back. */
  undo: boolean;
  /** Whether a part of it was taken back already. */
  part: boolean;
  /** What the user was asked, with the answers. */
  asked: string[];
  /** Why parts of it are missing. */
  left: string[];
  /** Whether the model can be asked for them again. */
  again: boolean;
  /** The commands for the shell that the answer suggests. */
  commands: string[];
}

/** A question that waits for its answer. */
export interface Asked {
  id: string;
  /** The request that it is about. */
  about: string;
  text: string;
  body: string;
  choices: { choice: string; title: string; default?: boolean }[];
  freeText: boolean;
}

/** A message that waits to be sent. */
export interface Waiting {
  id: string;
  words: string;
  note: string;
  /** It is on its way. */
  sending: boolean;
  /** To send it now stops what runs. */
  stops: boolean;
}

export interface Foot {
  model: string;
  usage: string;
  /** Whether there is a model to ask. */
  ready: boolean;
  /** What is missing of it otherwise. */
  lacks: string;
  /** Why the program does not run; '' while it does. */
  problem: string;
  files: ChatFile[];
}

export type ToPage =
  | { kind: 'reset'; entries: Entry[]; more: boolean; foot: Foot }
  | { kind: 'older'; entries: Entry[]; more: boolean }
  | { kind: 'delta'; id: string; from: number; text: string }
  | { kind: 'turn'; entry: Omit<Entry, 'text'> }
  | { kind: 'files'; id: string; files: FileChip[] }
  | { kind: 'foot'; foot: Foot }
  | { kind: 'questions'; questions: Asked[] }
  | { kind: 'queue'; queue: Waiting[] }
  /** A message of the page was taken in. */
  | { kind: 'taken' }
  | { kind: 'draft'; text: string; pictures: Picture[] };

export const commandsOfPage = ['local', 'key', 'doctor', 'model', 'attach', 'walkthrough', 'setting', 'restart'] as const;
export type PageCommand = (typeof commandsOfPage)[number];

export type ToHost =
  | { kind: 'ready' }
  | { kind: 'send'; text: string; mode: 'edit' | 'ask'; pictures: Picture[] }
  /** Files of VS Code were dropped on the chat. */
  | { kind: 'add'; uris: string[] }
  | { kind: 'stop' }
  | { kind: 'retry'; id: string }
  | { kind: 'undo'; id: string }
  | { kind: 'again'; id: string }
  /** Runs a command that an answer suggests, by its place among them. */
  | { kind: 'run'; id: string; at: number }
  | { kind: 'answer'; id: string; choice?: string; text?: string }
  | { kind: 'queued'; id: string; to: 'edit' | 'now' | 'back' }
  | { kind: 'copy'; text: string }
  | { kind: 'open'; uri: string }
  | { kind: 'drop'; uri: string }
  | { kind: 'link'; href: string }
  | { kind: 'older'; before: string }
  | { kind: 'focus'; on: boolean }
  | { kind: 'command'; command: PageCommand };

type Fields = Record<string, unknown>;

const text = (v: unknown): v is string => typeof v === 'string';

/** A message of the page, or undefined for anything else. */
export function toHost(raw: unknown): ToHost | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const m = raw as Fields;
  switch (m['kind']) {
    case 'ready':
    case 'stop':
      return { kind: m['kind'] };
    case 'send':
      return text(m['text']) && (m['mode'] === 'edit' || m['mode'] === 'ask') && arePictures(m['pictures'])
        ? { kind: 'send', text: m['text'], mode: m['mode'], pictures: m['pictures'] }
        : undefined;
    case 'add':
      return Array.isArray(m['uris']) && m['uris'].every(text) ? { kind: 'add', uris: m['uris'] } : undefined;
    case 'retry':
    case 'undo':
    case 'again':
      return text(m['id']) ? { kind: m['kind'], id: m['id'] } : undefined;
    case 'run':
      return text(m['id']) && typeof m['at'] === 'number' ? { kind: 'run', id: m['id'], at: m['at'] } : undefined;
    case 'answer':
      if (!text(m['id']) || text(m['choice']) === text(m['text'])) return undefined;
      return text(m['choice']) ? { kind: 'answer', id: m['id'], choice: m['choice'] } : { kind: 'answer', id: m['id'], text: m['text'] as string };
    case 'queued': {
      const to = (['edit', 'now', 'back'] as const).find((t) => t === m['to']);
      return text(m['id']) && to ? { kind: 'queued', id: m['id'], to } : undefined;
    }
    case 'copy':
      return text(m['text']) ? { kind: 'copy', text: m['text'] } : undefined;
    case 'open':
    case 'drop':
      return text(m['uri']) ? { kind: m['kind'], uri: m['uri'] } : undefined;
    case 'link':
      return text(m['href']) && isLink(m['href']) ? { kind: 'link', href: m['href'] } : undefined;
    case 'older':
      return text(m['before']) ? { kind: 'older', before: m['before'] } : undefined;
    case 'focus':
      return typeof m['on'] === 'boolean' ? { kind: 'focus', on: m['on'] } : undefined;
    case 'command': {
      const command = commandsOfPage.find((c) => c === m['command']);
      return command ? { kind: 'command', command } : undefined;
    }
    default:
      return undefined;
  }
}

/** A message of the extension, or undefined for anything else, such as what VS Code itself posts. */
export function toPage(raw: unknown): ToPage | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined;
  const m = raw as Fields;
  switch (m['kind']) {
    case 'reset':
    case 'older':
      return Array.isArray(m['entries']) ? (raw as ToPage) : undefined;
    case 'delta':
      return text(m['id']) && text(m['text']) && typeof m['from'] === 'number' ? (raw as ToPage) : undefined;
    case 'turn':
      return typeof m['entry'] === 'object' && m['entry'] !== null ? (raw as ToPage) : undefined;
    case 'files':
      return text(m['id']) && Array.isArray(m['files']) ? (raw as ToPage) : undefined;
    case 'foot':
      return typeof m['foot'] === 'object' && m['foot'] !== null ? (raw as ToPage) : undefined;
    case 'questions':
    case 'queue':
      return Array.isArray(m[m['kind']]) ? (raw as ToPage) : undefined;
    case 'taken':
      return raw as ToPage;
    case 'draft':
      return text(m['text']) && arePictures(m['pictures']) ? (raw as ToPage) : undefined;
    default:
      return undefined;
  }
}

/** Links of an answer lead to the web alone. */
export function isLink(href: string): boolean {
  try {
    return new URL(href).protocol === 'https:';
  } catch {
    return false;
  }
}
