// What waits: questions for an answer, and messages to be sent. It stands between the conversation and the composer, so that it
// does not scroll away.

import type { Asked, ToHost, Waiting } from '../messages';
import { button, element } from './dom';

type Post = (m: ToHost) => void;

export class QuestionList {
  readonly root = element('section', { class: 'questions', 'aria-label': 'Questions' });
  private readonly views = new Map<string, HTMLElement>();

  constructor(private readonly post: Post) {
    this.root.hidden = true;
  }

  /** Shows these questions; returns those that are new. What was written into one that stays is there still. */
  show(questions: Asked[]): Asked[] {
    const fresh = questions.filter((q) => !this.views.has(q.id));
    for (const [id, view] of this.views) {
      if (questions.some((q) => q.id === id)) continue;
      view.remove();
      this.views.delete(id);
    }
    for (const q of fresh) {
      const view = this.card(q);
      this.views.set(q.id, view);
      this.root.append(view);
    }
    this.root.hidden = questions.length === 0;
    return fresh;
  }

  private card(q: Asked): HTMLElement {
    const card = element('form', { class: 'question', role: 'group', 'aria-label': 'Your answer is needed', 'data-id': q.id });
    if (q.about) card.append(element('div', { class: 'about' }, q.about));
    if (q.body) card.append(element('pre', { tabindex: '0' }, q.body));
    card.append(element('p', {}, q.text));
    const row = element('div', { class: 'row' });
    for (const { choice, title, default: leaves } of q.choices) {
      row.append(button(title, title, () => this.post({ kind: 'answer', id: q.id, choice }), leaves ? '' : 'primary'));
    }
    if (q.freeText) {
      const box = element('textarea', { rows: '2', 'aria-label': 'Your answer', placeholder: 'Your answer' });
      const give = () => {
        if (box.value.trim()) this.post({ kind: 'answer', id: q.id, text: box.value.trim() });
      };
      box.addEventListener('keydown', (e) => {
        if (e.key !== 'Enter' || e.shiftKey || e.isComposing || e.defaultPrevented) return;
        e.preventDefault();
        give();
      });
      card.append(box);
      row.append(button('Answer', 'Answer (Enter)', give, 'primary'));
    }
    card.append(row);
    return card;
  }
}

export class QueueList {
  readonly root = element('section', { class: 'queue', 'aria-label': 'Messages waiting to be sent' });

  constructor(
    private readonly post: Post,
    /** Called when what had the focus is gone. */
    private readonly lost: () => void,
  ) {
    this.root.hidden = true;
  }

  show(queue: Waiting[]): void {
    const focused = this.root.contains(document.activeElement);
    this.root.replaceChildren(...queue.map((m) => this.item(m)));
    this.root.hidden = queue.length === 0;
    if (focused) this.lost();
  }

  private item(m: Waiting): HTMLElement {
    const item = element('div', { class: 'waiting', 'data-id': m.id }, element('div', { class: 'words' }, m.words), element('div', { class: 'line' }, m.note));
    if (m.sending) return item;
    const to = (label: string, title: string, what: 'edit' | 'now' | 'back') => button(label, title, () => this.post({ kind: 'queued', id: m.id, to: what }));
    item.append(
      element(
        'div',
        { class: 'tools' },
        to('Edit', 'Move this message back to the input box', 'edit'),
        to('Send now', m.stops ? 'Stop the running request and send this message' : 'Send this message', 'now'),
        to('Remove', 'Do not send this message', 'back'),
      ),
    );
    return item;
  }
}
