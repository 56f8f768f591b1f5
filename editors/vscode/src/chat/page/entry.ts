// One request and its answer.

import type { Entry, ToHost } from '../messages';
import { button, element } from './dom';

/** Of a command a button shows so much. */
const mostShown = 60;

export class EntryView {
  readonly root: HTMLElement;
  private readonly body: HTMLElement;
  private readonly line: HTMLElement;
  private readonly chips: HTMLElement;
  private readonly words: HTMLElement;
  private readonly tools: HTMLElement;
  private readonly asked = element('div', { class: 'asked' });
  private readonly left = element('div', { class: 'left' });
  private readonly commands = element('div', { class: 'commands', role: 'group', 'aria-label': 'Suggested commands' });
  private text = '';

  constructor(
    private entry: Omit<Entry, 'text'>,
    text: string,
    private readonly markdown: (text: string) => string,
    private readonly post: (m: ToHost) => void,
  ) {
    this.words = element('div', { class: 'words' });
    this.body = element('div', { class: 'answer' });
    this.line = element('div', { class: 'line' });
    this.chips = element('div', { class: 'chips' });
    this.tools = element('div', { class: 'tools' });
    this.root = element('article', { class: 'entry', 'data-id': entry.id }, this.words, this.asked, this.body, this.commands, this.chips, this.line, this.left, this.tools);
    this.text = text;
    this.update(entry);
    this.draw();
  }

  get isRunning(): boolean {
    return this.entry.state === 'running';
  }

  /** Adds a piece of the answer that begins at a place of it; false: something before it is missing. */
  append(from: number, text: string): boolean {
    if (from > this.text.length) return false;
    this.text = this.text.slice(0, from) + text;
    this.draw();
    return true;
  }

  update(entry: Omit<Entry, 'text'>): void {
    this.entry = entry;
    this.words.textContent = entry.words;
    this.root.dataset['state'] = entry.state;
    this.line.textContent = [entry.line, entry.usage].filter(Boolean).join(' · ');
    this.line.classList.toggle('error', entry.state === 'failed');
    this.chips.replaceChildren(
      ...entry.files.map((f) => button(f.name, `Show the change to ${f.name}`, () => this.post({ kind: 'open', uri: f.uri }), 'chip')),
    );
    this.asked.replaceChildren(...entry.asked.map((a) => element('div', { class: 'line' }, a)));
    this.drawLeft();
    this.drawCommands();
    this.drawTools();
  }

  /** What the change is without, and the way to have it after all. */
  private drawLeft(): void {
    const { left, again, id } = this.entry;
    this.left.replaceChildren(...left.map((l) => element('div', {}, `Left out: ${l}`)));
    if (again && !this.isRunning) this.left.append(button('Ask again', 'Ask the model again for the missing parts', () => this.post({ kind: 'again', id })));
  }

  /** A button for each command that the answer suggests. */
  private drawCommands(): void {
    const { commands, id } = this.entry;
    this.commands.replaceChildren(
      ...commands.map((c, at) => button(`Run ${shortened(c)}`, `Coauthor asks before it runs this command:\n${c}`, () => this.post({ kind: 'run', id, at }))),
    );
  }

  private drawTools(): void {
    const tools: HTMLElement[] = [];
    if (!this.isRunning) {
      tools.push(button('Copy', 'Copy this answer', () => this.post({ kind: 'copy', text: this.text })));
      const again = this.entry.state === 'done' ? 'Retry' : 'Ask again';
      tools.push(button(again, 'Send this request again', () => this.post({ kind: 'retry', id: this.entry.id })));
    }
    if (this.entry.undo) tools.push(button(this.entry.part ? 'Undo the rest' : 'Undo', 'Undo the change in all files', () => this.post({ kind: 'undo', id: this.entry.id })));
    this.tools.replaceChildren(...tools);
  }

  private draw(): void {
    // The renderer lets no markup of the text through.
    this.body.innerHTML = this.markdown(this.text);
    for (const a of this.body.querySelectorAll('a')) {
      const href = a.getAttribute('href') ?? '';
      a.title = href;
      a.addEventListener('click', (e) => {
        e.preventDefault();
        this.post({ kind: 'link', href });
      });
    }
    for (const pre of this.body.querySelectorAll('pre')) {
      const code = pre.textContent;
      pre.tabIndex = 0; // what is wide can be scrolled by keys
      pre.append(button('Copy', 'Copy this code', () => this.post({ kind: 'copy', text: code }), 'copy'));
    }
  }
}

/** The beginning of a command, where it has several lines or a long one. */
function shortened(command: string): string {
  const [line = ''] = command.split('\n');
  return line.length > mostShown || line !== command ? `${line.slice(0, mostShown)}…` : line;
}
