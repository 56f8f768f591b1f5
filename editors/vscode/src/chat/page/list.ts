// The list of entries: it grows at both ends, and follows what is written only while its end is in view.

import type { Entry, FileChip, ToHost } from '../messages';
import { button, element } from './dom';
import { EntryView } from './entry';

/** From the end by so many pixels, the end counts as in view. */
const nearEnd = 40;

export class List {
  readonly root = element('main', { role: 'log', 'aria-label': 'Conversation', 'aria-live': 'off', tabindex: '0' });
  private readonly views = new Map<string, EntryView>();
  private readonly more: HTMLButtonElement;
  private empty: HTMLElement | undefined;

  constructor(
    private readonly markdown: (text: string) => string,
    private readonly post: (m: ToHost) => void,
    private readonly welcome: () => HTMLElement,
  ) {
    this.more = button('Show earlier messages', 'Show earlier messages', () => this.askOlder(), 'more');
    this.more.hidden = true;
    this.root.append(this.more);
    this.root.addEventListener('scroll', () => {
      if (this.root.scrollTop === 0 && !this.more.hidden && this.views.size > 0) this.askOlder();
    });
  }

  reset(entries: Entry[], more: boolean): void {
    for (const v of this.views.values()) v.root.remove();
    this.views.clear();
    this.empty?.remove();
    this.empty = undefined;
    for (const e of entries) this.add(e, e.text);
    this.more.hidden = !more;
    if (entries.length === 0) this.root.append((this.empty = this.welcome()));
    this.toEnd();
  }

  older(entries: Entry[], more: boolean): void {
    const { scrollHeight } = this.root;
    const first = this.root.querySelector('.entry');
    for (const e of entries) {
      const view = new EntryView(e, e.text, this.markdown, this.post);
      this.views.set(e.id, view);
      this.root.insertBefore(view.root, first);
    }
    this.more.hidden = !more || entries.length === 0;
    this.root.scrollTop += this.root.scrollHeight - scrollHeight; // what was in view stays there
  }

  /** False: the page has missed something and must ask for everything. */
  delta(id: string, from: number, text: string): boolean {
    const view = this.views.get(id);
    if (!view) return true;
    return this.following(() => view.append(from, text));
  }

  turn(entry: Omit<Entry, 'text'>): void {
    const known = this.views.has(entry.id);
    this.following(() => {
      const view = this.views.get(entry.id);
      if (view) view.update(entry);
      else this.add(entry, '');
    });
    if (!known) this.toEnd(); // what the user has just asked for is to be seen
  }

  files(id: string, files: FileChip[], entry: (id: string) => Omit<Entry, 'text'> | undefined): void {
    const known = entry(id);
    if (known) this.following(() => this.views.get(id)?.update({ ...known, files }));
  }

  get isRunning(): boolean {
    return [...this.views.values()].some((v) => v.isRunning);
  }

  private add(entry: Omit<Entry, 'text'>, text: string): void {
    this.empty?.remove();
    this.empty = undefined;
    const view = new EntryView(entry, text, this.markdown, this.post);
    this.views.set(entry.id, view);
    this.root.append(view.root);
  }

  private askOlder(): void {
    const before = this.views.keys().next().value;
    if (before !== undefined) this.post({ kind: 'older', before });
  }

  private following<T>(change: () => T): T {
    const atEnd = this.root.scrollHeight - this.root.scrollTop - this.root.clientHeight < nearEnd;
    const result = change();
    if (atEnd) this.toEnd();
    return result;
  }

  private toEnd(): void {
    this.root.scrollTop = this.root.scrollHeight;
  }
}
