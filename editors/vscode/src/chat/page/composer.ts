// Where the user writes: Enter sends, Shift+Enter breaks the line, Escape stops what runs. What was written stays in the box
// until the extension has it.

import type { Picture } from '../attached';
import type { ChatFile, Foot, ToHost } from '../messages';
import { button, element } from './dom';
import { Pictures } from './pictures';

export interface Draft {
  text: string;
  mode: 'edit' | 'ask';
}

export class Composer {
  readonly root: HTMLElement;
  private readonly box: HTMLTextAreaElement;
  private readonly mode: HTMLSelectElement;
  private readonly send: HTMLButtonElement;
  private readonly model: HTMLButtonElement;
  private readonly used: HTMLElement;
  private readonly files: HTMLElement;
  private readonly pictures: Pictures;
  private readonly stop: HTMLButtonElement;
  private running = false;
  private sent: string | undefined; // what was sent and is not taken yet
  private shown: Picture[] = []; // that were sent with it

  constructor(
    private readonly post: (m: ToHost) => void,
    private readonly save: (draft: Draft) => void,
    draft: Draft,
  ) {
    this.box = element('textarea', { rows: '3', 'aria-label': 'Message', placeholder: 'Ask a question or describe a change (/ for commands)' });
    this.box.value = draft.text;
    this.mode = element(
      'select',
      { 'aria-label': 'Kind of request', title: 'Kind of request' },
      element('option', { value: 'edit' }, 'Change'),
      element('option', { value: 'ask' }, 'Ask'),
    );
    this.mode.value = draft.mode;
    this.send = button('Send', 'Send (Enter)', () => this.give(), 'primary');
    this.stop = button('Stop', 'Stop (Escape)', () => this.post({ kind: 'stop' }), 'stop');
    this.stop.hidden = true;
    this.model = button('Model', 'Choose the model', () => this.post({ kind: 'command', command: 'model' }), 'model');
    this.used = element('span', { class: 'used' });
    this.files = element('div', { class: 'chips files', role: 'group', 'aria-label': 'Files in the chat' });
    this.pictures = new Pictures((uris) => this.post({ kind: 'add', uris }));
    const attach = button('Add files', 'Add files to the chat', () => this.post({ kind: 'command', command: 'attach' }));
    this.root = element(
      'footer',
      {},
      this.files,
      this.pictures.root,
      this.box,
      element('div', { class: 'row' }, this.mode, this.stop, this.send),
      element('div', { class: 'foot' }, this.model, attach, this.used),
    );
    this.box.addEventListener('keydown', (e) => this.key(e));
    this.box.addEventListener('input', () => this.keep());
    this.mode.addEventListener('change', () => this.keep());
    this.pictures.listen(this.root);
  }

  focus(): void {
    this.box.focus();
  }

  /** Puts a text behind what is in the box, and pictures behind those that are there. */
  fill(text: string, pictures: Picture[]): void {
    this.pictures.put(pictures);
    this.box.value = [this.box.value.trimEnd(), text].filter(Boolean).join('\n\n');
    this.keep();
    this.focus();
  }

  /** The extension has what was sent. What was typed since stays. */
  taken(): void {
    const { sent } = this;
    this.sent = undefined;
    this.pictures.drop(this.shown);
    if (sent === undefined || !this.box.value.startsWith(sent)) return;
    this.box.value = this.box.value.slice(sent.length);
    this.keep();
  }

  /** The page is told everything anew; whether what was sent has come is not known. */
  anew(): void {
    this.sent = undefined;
  }

  foot(foot: Foot): void {
    this.model.textContent = foot.model || 'Choose a model';
    this.used.textContent = foot.usage;
    const focused = this.files.contains(document.activeElement);
    this.files.replaceChildren(...foot.files.map((f) => this.chip(f)));
    this.files.hidden = foot.files.length === 0;
    if (focused) this.focus(); // what had it is gone
  }

  private chip(file: ChatFile): HTMLElement {
    const how = file.readOnly ? 'read-only' : 'in the chat';
    const drop = button('×', `Remove ${file.name} from the chat`, () => this.post({ kind: 'drop', uri: file.uri }), 'drop');
    drop.setAttribute('aria-label', drop.title);
    return element(
      'span',
      { class: 'chip' },
      button(file.readOnly ? `${file.name} (read-only)` : file.name, `${file.name}, ${how}: open it`, () => this.post({ kind: 'open', uri: file.uri }), 'name'),
      drop,
    );
  }

  set isRunning(running: boolean) {
    if (!running && document.activeElement === this.stop) this.focus(); // what has the focus goes
    this.running = running;
    this.stop.hidden = !running;
    this.send.textContent = running ? 'Queue' : 'Send';
    this.send.title = running ? 'Send when the running request ends (Enter)' : 'Send (Enter)';
  }

  private key(e: KeyboardEvent): void {
    if (e.isComposing || e.defaultPrevented) return; // Enter ends a word of an input method; or the key is VS Code's
    if (e.key === 'Enter' && !e.shiftKey) {
      e.preventDefault();
      if (this.box.value.trim()) this.give();
    } else if (e.key === 'Escape' && this.running) {
      e.preventDefault();
      this.post({ kind: 'stop' });
    }
  }

  private give(): void {
    const text = this.box.value.trim();
    if (!text || this.sent !== undefined) return;
    this.sent = this.box.value;
    this.shown = this.pictures.all();
    this.post({ kind: 'send', text, mode: this.mode.value === 'ask' ? 'ask' : 'edit', pictures: this.shown });
  }

  private keep(): void {
    this.save({ text: this.box.value, mode: this.mode.value === 'ask' ? 'ask' : 'edit' });
  }
}
