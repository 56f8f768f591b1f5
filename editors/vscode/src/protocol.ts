// The server's own methods, as lsp/EXTENSIONS.md describes them. What the server does not send is not here.

export const method = {
  inputBox: 'coauthor/inputBox',
  lookUp: 'coauthor/lookUp',
  turn: 'coauthor/turn',
  stream: 'coauthor/stream',
  draft: 'coauthor/draft',
  pending: 'coauthor/pending',
  question: 'coauthor/question',
  review: 'coauthor/review',
  pendingMoved: 'coauthor/pendingMoved',
  getPending: 'coauthor/getPending',
  getTexts: 'coauthor/getTexts',
  getTranscript: 'coauthor/getTranscript',
  getReview: 'coauthor/getReview',
  didFocus: 'coauthor/didFocus',
  setTrust: 'coauthor/setTrust',
  setSecret: 'coauthor/setSecret',
} as const;

/** The version of these methods that this extension speaks. */
export const protocolVersion = 1;

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Usage {
  in: number;
  out: number;
  cacheRead?: number;
  estimated?: boolean;
  cost?: number;
}

export interface TurnParams {
  turnId: string;
  uri?: string;
  state: string;
  label?: string;
  message?: string;
  /** Of one that failed: a model, its key or its endpoint is missing. */
  unready?: boolean;
  usage?: Usage;
  /** At its end: what its change is without. */
  refused?: Refused[];
  /** At its end: the commands for the shell that its answer suggests. */
  commands?: string[];
}

/** A hunk that a turn has ended without. */
export interface Refused {
  hunk: number;
  path?: string;
  message: string;
  /** Whether the model can be asked for it again. */
  askable?: boolean;
}

export interface QuestionParams {
  id: string;
  turnId?: string;
  uri?: string;
  state: 'open' | 'answered' | 'defaulted' | 'withdrawn';
  text: string;
  /** What the text is about, such as a script: to be read before the answer. */
  body?: string;
  choices?: { choice: string; title: string; default?: boolean }[];
  freeText?: boolean;
  /** Of one that has ended, in words. */
  answer?: string;
}

export interface StreamParams {
  turnId: string;
  seq: number;
  delta: string;
  channel: 'answer' | 'reasoning' | 'edit';
}

export type HunkState = 'sent' | 'landed' | 'discarded';

export interface Hunk {
  number: number;
  oldRange: Range;
  oldText: string;
  newText: string;
  state?: HunkState;
}

export interface PendingFile {
  uri: string;
  op: 'update' | 'create' | 'delete' | 'rename';
  newUri?: string;
  version?: number;
  added: number;
  removed: number;
  state?: HunkState;
  hunks: Hunk[];
}

/** What a turn has changed as far as the model has written it. */
export interface DraftParams {
  turnId: string;
  uri: string;
  files: PendingFile[];
}

export interface Pending {
  turnId: string;
  proposalId: string;
  revision: number;
  state: string;
  label?: string;
  uri?: string;
  warnings?: string[];
  verdict?: string;
  attempts?: { label: string; files: string[]; added: number; removed: number }[];
  attempt?: number;
  files: PendingFile[];
}

/** Both texts of a file of a proposal: as it is now, and with all that is undecided. */
export interface TextsView {
  revision: number;
  base: string | null;
  new: string | null;
  conflict?: string;
  hunks: { number: number; baseRange: Range; newRange: Range; conflict?: boolean }[];
}

export interface TranscriptEntry {
  number: number;
  turnId: string;
  request: string;
  answer: string;
  proposalId?: string;
  became?: string;
  commands?: string[];
}

export interface Transcript {
  uri: string;
  entries: TranscriptEntry[];
  more: boolean;
}

export interface ReviewHunk {
  number: number;
  range?: Range;
  oldText: string;
  touched?: boolean;
}

export interface ReviewFile {
  uri: string;
  op: PendingFile['op'];
  oldUri?: string;
  version?: number;
  turnId: string;
  proposalId: string;
  label?: string;
  hunks: ReviewHunk[];
}

export interface Review {
  uri: string;
  files: ReviewFile[];
}

export interface InputBoxParams {
  prompt: string;
  value?: string;
  multiline?: boolean;
  history?: string[];
}

/** A question to the other language servers of the editor. */
export interface LookUpParams {
  what: 'definition' | 'references' | 'hover' | 'diagnostics';
  uri?: string;
  position?: Position;
}

export interface LookUpResult {
  locations?: { uri: string; range: Range }[];
  text?: string;
  files?: { uri: string; diagnostics: unknown[] }[];
}
