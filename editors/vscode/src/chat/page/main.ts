// The page of the chat view.

import './chat.css';
import { toPage, type Entry, type ToHost, type ToPage } from '../messages';
import { Chords } from './chords';
import { Composer, type Draft } from './composer';
import { button, element } from './dom';
import { List } from './list';
import { createMarkdown } from './markdown';
import { QuestionList, QueueList } from './waits';

interface Host {
  postMessage(m: ToHost): void;
  getState(): { draft?: Draft } | undefined;
  setState(state: { draft: Draft }): void;
}

declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();
const post = (m: ToHost) => host.postMessage(m);
const heads = new Map<string, Omit<Entry, 'text'>>();
const chords = new Chords(navigator.platform.startsWith('Mac'));
let ready = true;
let lacks = '';
let problem = '';

const list = new List(createMarkdown(), post, welcome);
const composer = new Composer(post, (draft) => host.setState({ draft }), host.getState()?.draft ?? { text: '', mode: 'edit' });
const questions = new QuestionList(post);
const queue = new QueueList(post, () => composer.focus());
const said = element('div', { 'aria-live': 'polite', class: 'unseen' }); // ends of turns, for screen readers

function welcome(): HTMLElement {
  const words = element('div', { class: 'welcome' });
  if (problem) {
    words.append(
      element('p', {}, problem),
      button('How to install it', 'Show how to install the program', () => post({ kind: 'command', command: 'walkthrough' }), 'primary'),
      button('Set its path', 'Open the setting coauthor.server.path', () => post({ kind: 'command', command: 'setting' }), 'primary'),
      button('Try again', 'Look for the program again', () => post({ kind: 'command', command: 'restart' }), 'primary'),
    );
    return words;
  }
  if (ready) {
    words.append(element('p', {}, 'Describe a change, or ask about your code. The model also gets your open files.'));
    return words;
  }
  words.append(
    element('p', {}, 'Choose a model to start:'),
    button('A model on this machine', 'Look for Ollama, LM Studio and others', () => post({ kind: 'command', command: 'local' }), 'primary'),
    button('An API key', 'Enter an API key; VS Code keeps it in the secret storage', () => post({ kind: 'command', command: 'key' }), 'primary'),
    button('From my environment', 'Check the setup', () => post({ kind: 'command', command: 'doctor' }), 'primary'),
  );
  if (lacks) words.append(element('p', { class: 'lacks' }, lacks));
  return words;
}

function take(m: ToPage): void {
  switch (m.kind) {
    case 'reset':
      heads.clear();
      m.entries.forEach((e) => heads.set(e.id, e));
      ({ ready, lacks, problem } = m.foot);
      list.reset(m.entries, m.more);
      composer.anew();
      composer.foot(m.foot);
      break;
    case 'older':
      m.entries.forEach((e) => heads.set(e.id, e));
      list.older(m.entries, m.more);
      break;
    case 'delta':
      if (!list.delta(m.id, m.from, m.text)) post({ kind: 'ready' });
      break;
    case 'turn': {
      const before = heads.get(m.entry.id)?.state;
      heads.set(m.entry.id, m.entry);
      list.turn(m.entry);
      if (before === 'running' && m.entry.state !== 'running') said.textContent = m.entry.line || 'The answer is complete.';
      break;
    }
    case 'files':
      list.files(m.id, m.files, (id) => heads.get(id));
      break;
    case 'foot':
      if ((ready !== m.foot.ready || lacks !== m.foot.lacks || problem !== m.foot.problem) && heads.size === 0) {
        ({ ready, lacks, problem } = m.foot);
        list.reset([], false);
      }
      composer.foot(m.foot);
      break;
    case 'questions': {
      const [first] = questions.show(m.questions);
      if (first) said.textContent = `Your answer is needed: ${first.text}`;
      break;
    }
    case 'queue':
      queue.show(m.queue);
      break;
    case 'taken':
      composer.taken();
      break;
    case 'draft':
      composer.fill(m.text, m.pictures);
  }
  composer.isRunning = list.isRunning;
}

document.body.append(list.root, said, questions.root, queue.root, composer.root);
window.addEventListener('message', (e) => {
  const m = toPage(e.data);
  if (m) take(m);
});
// Before anything else of the page hears of it; VS Code is told all the same.
window.addEventListener('keydown', (e) => chords.take(e) && e.preventDefault(), { capture: true });
function entered(): void {
  post({ kind: 'focus', on: true });
  if (document.activeElement === document.body) composer.focus();
}
window.addEventListener('focus', entered);
window.addEventListener('blur', () => {
  chords.forget();
  post({ kind: 'focus', on: false });
});
post({ kind: 'ready' });
if (document.hasFocus()) entered(); // it came while the page was being read, and no event tells of it
