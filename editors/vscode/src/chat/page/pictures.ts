// Images and PDF files that were pasted or dropped, until they are sent.

import { mostPictures, type Picture } from '../attached';
import { button, element } from './dom';

/** What models see, with the extension that says so. */
const kinds: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

export class Pictures {
  readonly root = element('div', { class: 'chips pictures', role: 'group', 'aria-label': 'Pictures for the next message' });
  private list: Picture[] = [];

  /** Files of VS Code that were dropped go to add. */
  constructor(private readonly add: (uris: string[]) => void) {
    this.draw('');
  }

  /** Takes what is pasted or dropped on an element. */
  listen(on: HTMLElement): void {
    on.addEventListener('paste', (e) => this.take(e, e.clipboardData));
    on.addEventListener('dragover', (e) => e.preventDefault());
    on.addEventListener('drop', (e) => this.take(e, e.dataTransfer));
  }

  all(): Picture[] {
    return [...this.list];
  }

  /** Takes pictures of a message that is written on. */
  put(pictures: Picture[]): void {
    this.list.push(...pictures);
    this.draw('');
  }

  /** Lets go of what was sent. */
  drop(sent: Picture[]): void {
    this.list = this.list.filter((p) => !sent.includes(p));
    this.draw('');
  }

  private take(e: Event, data: DataTransfer | null): void {
    const uris = (data?.getData('application/vnd.code.uri-list') || data?.getData('text/uri-list') || '').split(/\r?\n/u).filter((u) => u.startsWith('file:'));
    const files = [...(data?.files ?? [])];
    if (e.type === 'drop' && uris.length > 0) {
      e.preventDefault();
      this.add(uris);
    } else if (files.length > 0) {
      e.preventDefault();
      for (const file of files) void this.read(file);
    }
  }

  private async read(file: File): Promise<void> {
    const kind = kinds[file.type];
    if (!kind) return this.draw(`${file.name} is not an image or a PDF file.`);
    const data = base64(new Uint8Array(await file.arrayBuffer()));
    if (this.list.reduce((n, p) => n + p.data.length, data.length) > mostPictures) return this.draw(`${file.name} is too large.`);
    const base = file.name.replace(/\.[^.]*$/u, '') || 'image';
    this.list.push({ name: `${base}.${kind}`, data });
    this.draw('');
  }

  private draw(problem: string): void {
    this.root.hidden = this.list.length === 0 && problem === '';
    this.root.replaceChildren(...this.list.map((p) => this.chip(p)), problem);
  }

  private chip(picture: Picture): HTMLElement {
    const drop = button('×', `Remove ${picture.name} from the message`, () => this.drop([picture]), 'drop');
    drop.setAttribute('aria-label', drop.title);
    return element('span', { class: 'chip' }, element('span', { class: 'name' }, picture.name), drop);
  }
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
