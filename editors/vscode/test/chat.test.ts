import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLink, toHost, toPage, type Entry } from '../src/chat/messages';
import { Chords, type Key } from '../src/chat/page/chords';
import { createMarkdown } from '../src/chat/page/markdown';
import { head, pageSize, Talk, told } from '../src/chat/talk';
import type { QuestionParams } from '../src/protocol';
import { Questions } from '../src/questions';
import { Turns } from '../src/turns';

test('the extension takes its page\'s messages and nothing else', () => {
  const pictures = [{ name: 'image.png', data: 'AA==' }];
  assert.deepEqual(toHost({ kind: 'send', text: 'x', mode: 'ask', pictures, more: 1 }), { kind: 'send', text: 'x', mode: 'ask', pictures });
  assert.deepEqual(toHost({ kind: 'add', uris: ['file:///a.png'] }), { kind: 'add', uris: ['file:///a.png'] });
  assert.deepEqual(toHost({ kind: 'command', command: 'key' }), { kind: 'command', command: 'key' });
  assert.deepEqual(toHost({ kind: 'answer', id: 'q', text: 'mine' }), { kind: 'answer', id: 'q', text: 'mine' });
  assert.deepEqual(toHost({ kind: 'run', id: 't', at: 1 }), { kind: 'run', id: 't', at: 1 });
  assert.deepEqual(toHost({ kind: 'queued', id: 'm', to: 'back' }), { kind: 'queued', id: 'm', to: 'back' });
  for (const bad of [null, 1, 'ready', {}, { kind: 'send', text: 1, mode: 'ask' }, { kind: 'send', text: 'x', mode: 'run', pictures: [] }, { kind: 'send', text: 'x', mode: 'ask' }, { kind: 'send', text: 'x', mode: 'ask', pictures: [{ name: 'a.png' }] }, { kind: 'send', text: 'x', mode: 'ask', pictures: [null] }, { kind: 'add', uris: [1] }, { kind: 'command', command: 'workbench.action.quit' },
    { kind: 'answer', id: 'q' }, { kind: 'answer', id: 'q', choice: 'a', text: 'b' }, { kind: 'answer', choice: 'a' }, { kind: 'queued', id: 'm', to: 'run' }, { kind: 'again' }, { kind: 'run', id: 't', command: 'ls' }, { kind: 'link', href: 'command:x' }, { kind: 'link', href: 'file:///etc/passwd' }, { kind: 'focus' }, { kind: 'open' }, { kind: 'reset' }]) {
    assert.equal(toHost(bad), undefined, JSON.stringify(bad));
  }
});

test('the page takes the extension\'s messages and nothing else', () => {
  assert.ok(toPage({ kind: 'delta', id: 'a', from: 0, text: 'x' }));
  for (const bad of [null, { kind: 'delta', id: 'a', text: 'x' }, { kind: 'turn' }, { kind: 'reset' }, { kind: 'draft', text: 'x' }, { type: 'vscode' }, { kind: 'send', text: 'x', mode: 'ask' }]) {
    assert.equal(toPage(bad), undefined, JSON.stringify(bad));
  }
});

test('answers bring no markup, no image and no link but to the web', () => {
  const render = createMarkdown();
  assert.match(render('**b** and `c`\n\n```js\n1 < 2\n```'), /<strong>b<\/strong>.*<code class="language-js">1 &lt; 2/s);
  const bad = render('<script>x</script> <img src=x onerror=y> ![i](https://e.org/p.png) [a](command:x) [b](javascript:x) [c](http://e.org) [d](https://e.org/)');
  assert.doesNotMatch(bad, /<script|<img|href="(command|javascript|http:)/);
  assert.match(bad, /<a href="https:\/\/e\.org\/">d<\/a>/);
  assert.ok(isLink('https://e.org'));
  assert.ok(!isLink('//e.org'));
});

test('the talk is told in pages from its end', () => {
  const talk = new Talk();
  const turns = new Turns(() => 0);
  for (let i = 0; i < pageSize + 20; i++) talk.of(turns.changed({ turnId: `t${i}`, state: 'answered' }).turn, `words ${i}`);
  const last = talk.last();
  assert.deepEqual([last.entries.length, last.entries[0]?.id, last.more], [pageSize, 't20', true]);
  const older = talk.before('t20');
  assert.deepEqual([older.entries.length, older.entries[0]?.words, older.more], [20, 'words 0', false]);
  assert.deepEqual(talk.before('t0'), { entries: [], more: false });
  const earlier: Entry = { ...last.entries[0]!, id: 'before' };
  assert.deepEqual(talk.prepend([earlier, { ...earlier, id: 't0' }]), [earlier], 'what is known already is not told twice');
  assert.equal(talk.before('t0').entries[0]?.id, 'before');
});

test('an entry says how its turn stands', () => {
  const talk = new Talk();
  const turns = new Turns(() => 0);
  const state = (s: string, message?: string) => talk.of(turns.changed({ turnId: 'a', state: s, label: 'be polite', ...(message && { message }) }).turn);
  assert.deepEqual([state('requesting', 'Waiting · 2 s').state, talk.get('a')?.line, talk.get('a')?.words], ['running', 'Waiting · 2 s', 'be polite']);
  turns.streamed({ turnId: 'a', seq: 1, delta: 'text', channel: 'answer' });
  assert.deepEqual([state('cancelled').state, talk.get('a')?.line], ['stopped', 'Stopped; nothing was changed.']);
  assert.equal(talk.get('a')?.text, 'text');
  assert.ok(!('text' in head(talk.get('a')!)));
  const of = (s: string) => talk.of(turns.changed({ turnId: 'b', state: s }).turn);
  assert.deepEqual([of('proposed').line, of('proposed').undo], ['A change is pending.', false]);
  assert.deepEqual([of('applied').undo, of('applied').line], [true, 'The change was applied but not saved.']);
  turns.of('b').standing = 'part';
  assert.deepEqual([talk.of(turns.of('b')).undo, talk.of(turns.of('b')).part, talk.get('b')?.line], [true, true, 'Part of the change was undone.']);
  turns.of('b').standing = 'nothing';
  assert.deepEqual([talk.of(turns.of('b')).undo, talk.get('b')?.line], [false, 'The change was undone.']);
  assert.deepEqual([of('undone').undo, of('undone').line], [false, 'The change was undone.']);
});

test('what an earlier window said is told as it was', () => {
  const entry = told({ number: 3, turnId: 't', request: 'be polite', answer: 'I am.', became: 'applied', commands: ['ls'] });
  assert.deepEqual(entry, { id: 't', words: 'be polite', text: 'I am.', state: 'done', line: 'The change was applied but not saved.', usage: '', files: [], undo: true, part: false, asked: [], left: [], again: false, commands: ['ls'] });
});

test('the second key of a pair is not for the page', () => {
  const pressed = (chords: Chords, key: string, held: Partial<Key> = {}) => chords.take({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, timeStamp: 0, ...held });
  const ctrl = { ctrlKey: true };
  const chords = new Chords(false);
  const keys: [string, Partial<Key>][] = [['g', {}], ['k', ctrl], ['g', {}], ['g', {}], ['Enter', {}], ['k', ctrl], ['Control', ctrl], ['Enter', ctrl], ['Enter', ctrl], ['k', {}], ['a', {}]];
  assert.deepEqual(keys.map(([key, held]) => pressed(chords, key, held)), [false, true, true, false, false, true, false, true, false, false, false]);
  for (const other of [{ metaKey: true }, { ...ctrl, shiftKey: true }, { ...ctrl, altKey: true }, { ...ctrl, metaKey: true }]) assert.ok(!pressed(chords, 'k', other), JSON.stringify(other));
  assert.ok(pressed(chords, 'k', ctrl) && pressed(chords, 'k', { ...ctrl, timeStamp: 10 }) && !pressed(chords, 'k'), 'Ctrl+K Ctrl+K is a pair, too');
  assert.ok(pressed(chords, 'K', ctrl) && !pressed(chords, 'g', { timeStamp: 6000 }), 'VS Code waits no longer');
  assert.ok(pressed(chords, 'k', ctrl));
  chords.forget();
  assert.ok(!pressed(chords, 'g'), 'the focus was elsewhere');
  const mac = new Chords(true);
  assert.ok(!pressed(mac, 'k', ctrl) && pressed(mac, 'k', { metaKey: true }) && pressed(mac, 'g') && !pressed(mac, 'g'));
});

test('an entry says what was asked, and what its change is without', () => {
  const talk = new Talk();
  const turns = new Turns(() => 0);
  const questions = new Questions();
  const q: QuestionParams = { id: 'q', turnId: 'a', state: 'open', text: 'Add b.py?', choices: [{ choice: 'add', title: 'add b.py' }] };
  turns.changed({ turnId: 'a', state: 'verifying' });
  assert.deepEqual([questions.take(q), questions.take(q), questions.open()], [true, false, [q]]);
  assert.equal(questions.take({ ...q, state: 'answered' }), false);
  assert.deepEqual(questions.open(), []);
  for (const [state, answer] of [['open', undefined], ['answered', 'skip it'], ['defaulted', 'skip it'], ['withdrawn', undefined]] as const) {
    turns.answered({ ...q, state, ...(answer && { answer }) });
  }
  const refused = [{ hunk: 1, path: 'b.py', message: 'b.py is not one of the files of this request', askable: true }];
  const { turn } = turns.changed({ turnId: 'a', state: 'proposed', refused, commands: ['pip install rich'] });
  turns.changed({ turnId: 'a', state: 'pending' });
  assert.equal(talk.of(turn).line, 'A change is pending; part of it was left out.');
  turns.changed({ turnId: 'a', state: 'applied' });
  assert.deepEqual(talk.of(turn).commands, ['pip install rich']);
  const entry = talk.of(turn);
  assert.deepEqual(entry.asked, ['Add b.py? Your answer: skip it', 'Add b.py? No answer: skip it']);
  assert.deepEqual([entry.left, entry.again], [['b.py is not one of the files of this request'], true]);
  turn.left = [{ hunk: 2, message: 'no' }];
  assert.equal(talk.of(turn).again, false);
});
