import assert from 'node:assert/strict';
import { test } from 'node:test';
import { place } from '../src/columns';
import { walk } from '../src/history';
import { nextFile, openFiles, Proposals, selector, size, title } from '../src/proposals';
import type { Hunk, Pending, PendingFile } from '../src/protocol';
import { hunk } from './proposal';
import { chosen } from '../src/settings';
import * as text from '../src/text';
import { isRunning, Turns } from '../src/turns';

const file = (name: string, ...hunks: Hunk[]): PendingFile => ({ uri: `file:///w/${name}`, op: 'update', added: 2, removed: 1, hunks });
const proposal = (id: string, revision: number, state: string, ...files: PendingFile[]): Pending => ({ turnId: 't', proposalId: id, revision, state, files });

test('a turn goes from its first state to its end, and ends once', () => {
  const turns = new Turns(() => 5);
  assert.equal(turns.changed({ turnId: 'a', state: 'requesting', message: 'Waiting', label: 'be polite' }).over, false);
  assert.deepEqual(turns.running().map((t) => [t.id, t.message, t.started]), [['a', 'Waiting', 5]]);
  assert.equal(turns.changed({ turnId: 'a', state: 'proposed', usage: { in: 10, out: 2, cost: 0.5 } }).over, true);
  const { turn, over } = turns.changed({ turnId: 'a', state: 'applied' });
  assert.equal(over, false);
  assert.equal(turn.state, 'proposed', 'what became of its proposal is no state of the turn');
  assert.equal(turn.label, 'be polite');
  turns.changed({ turnId: 'b', state: 'failed', usage: { in: 1, out: 1 } });
  assert.deepEqual(turns.total(), { in: 11, out: 3, estimated: false }, 'one cost is unknown, so the sum is');
});

test('pieces of a reply come in channels', () => {
  const turns = new Turns(() => 0);
  turns.streamed({ turnId: 'a', seq: 3, delta: 'one ', channel: 'answer' });
  turns.streamed({ turnId: 'a', seq: 3, delta: '<<<<', channel: 'edit' });
  turns.streamed({ turnId: 'a', seq: 9, delta: 'hm', channel: 'reasoning' });
  turns.streamed({ turnId: 'a', seq: 11, delta: 'two', channel: 'answer' });
  assert.deepEqual([turns.get('a')?.text, turns.get('a')?.thinking], ['one two', 'hm']);
});

test('what ran when the server ended is cut, and nothing else', () => {
  const turns = new Turns(() => 0);
  turns.changed({ turnId: 'done', state: 'answered' });
  turns.changed({ turnId: 'runs', state: 'streaming' });
  assert.deepEqual(turns.cutAll().map((t) => t.id), ['runs']);
  assert.equal(turns.running().length, 0);
  assert.equal(isRunning(turns.of('runs')), false);
  assert.match(turns.of('runs').message, /server stopped/);
});

test('the change of an earlier window makes no turn that runs', () => {
  const turns = new Turns(() => 0);
  assert.deepEqual(turns.changed({ turnId: 'a', state: 'pending' }), { turn: turns.of('a'), over: true });
  assert.deepEqual([turns.running().length, turns.of('a').became], [0, 'pending']);
  turns.changed({ turnId: 'b', state: 'verifying' });
  turns.changed({ turnId: 'b', state: 'pending' });
  assert.deepEqual(turns.running().map((t) => t.id), ['b'], 'one that proposes after each of its rounds goes on');
});

test('old turns are forgotten', () => {
  const turns = new Turns(() => 0);
  for (let i = 0; i < 300; i++) turns.of(`t${i}`);
  assert.equal(turns.get('t0'), undefined);
  assert.equal(turns.last()?.id, 't299');
});

test('a proposal is offered once in each revision', () => {
  const all = new Proposals();
  assert.equal(all.take(proposal('p', 1, 'pending', file('a', hunk(1)))).fresh, true);
  assert.equal(all.take(proposal('p', 1, 'partial', file('a', hunk(1, 'landed'), hunk(2)))).fresh, false);
  assert.equal(all.count(), 1);
  assert.equal(all.take(proposal('p', 2, 'pending', file('a', hunk(1)))).fresh, true);
  all.take(proposal('q', 1, 'pending', file('b', hunk(1)), file('c', hunk(1))));
  assert.deepEqual(all.waiting().map((p) => p.proposalId), ['q', 'p']);
  assert.equal(all.count(), 3);
  all.take(proposal('q', 1, 'discarded', file('b', hunk(1, 'discarded'))));
  assert.deepEqual(all.waiting().map((p) => p.proposalId), ['p']);
  assert.equal(all.get('q'), undefined);
  assert.equal(all.take(proposal('r', 1, 'applied', file('b', hunk(1, 'landed')))).fresh, false);
});

test('a change that is being applied waits for nobody, and is told', () => {
  const all = new Proposals();
  assert.equal(all.nothing(), 'no change is pending.');
  all.take(proposal('p', 1, 'pending', file('a', hunk(1))));
  all.take(proposal('p', 1, 'applying', file('a', hunk(1))));
  assert.deepEqual(all.waiting(), []);
  assert.equal(all.nothing(), 'the change is being applied.');
  all.take(proposal('p', 1, 'applied', file('a', hunk(1, 'landed'))));
  assert.equal(all.nothing(), 'no change is pending.');
});

test('files that are decided are open no more', () => {
  const moved: PendingFile = { uri: 'file:///w/m', op: 'rename', newUri: 'file:///w/n', added: 0, removed: 0, hunks: [] };
  const p = proposal('p', 1, 'partial', file('a', hunk(1, 'landed'), hunk(2, 'discarded')), file('b', hunk(1)), moved, { ...moved, state: 'landed' });
  assert.deepEqual(openFiles(p).map((f) => f.uri), ['file:///w/b', 'file:///w/m']);
  assert.equal(size(openFiles(p)), '2 files, +2 -1');
  assert.equal(nextFile(p, 'file:///w/a')?.uri, 'file:///w/b');
  assert.equal(nextFile(p, 'file:///w/b')?.uri, 'file:///w/m');
  assert.equal(title(p, p.files[1]!, 'b'), 'b (2 of 4, +2 -1)');
  assert.deepEqual(selector(p, p.files[1], 4), { turnId: 't', proposalId: 'p', revision: 1, files: ['file:///w/b'], hunks: [4] });
  assert.deepEqual(selector(p), { turnId: 't', proposalId: 'p', revision: 1 });
});

test('a diff opens by itself only where it covers nothing', () => {
  const screen = { ours: undefined, columns: 1, inChat: false, empty: false };
  assert.deepEqual(place(screen), { column: 'beside' });
  assert.deepEqual(place({ ...screen, columns: 2 }), 'notify');
  assert.deepEqual(place({ ...screen, columns: 3, ours: 2 }), { column: 2 });
  assert.deepEqual(place({ ...screen, columns: 2, inChat: true }), { column: 'active' });
  assert.deepEqual(place({ ...screen, empty: true }), { column: 'active' });
});

test('only what somebody has set is told', () => {
  const config = {
    inspect: (name: string) => ({ a: { defaultValue: 1 }, b: { globalValue: false }, c: { workspaceValue: 'x' }, d: { workspaceFolderValue: 0 } })[name],
    get: (name: string) => `value of ${name}`,
  };
  assert.deepEqual(chosen(config, ['a', 'b', 'c', 'd', 'e']), { b: 'value of b', c: 'value of c', d: 'value of d' });
  assert.deepEqual(chosen(config, []), {});
});

test('older instructions come one after the other, and the empty box behind the newest', () => {
  assert.deepEqual(walk(['new', 'old'], -1, 1), { place: 0, text: 'new' });
  assert.deepEqual(walk(['new', 'old'], 0, 1), { place: 1, text: 'old' });
  assert.deepEqual(walk(['new', 'old'], 1, 1), { place: 1, text: 'old' });
  assert.deepEqual(walk(['new', 'old'], 0, -1), { place: -1, text: '' });
  assert.deepEqual(walk([], -1, 1), { place: -1, text: '' });
});

test('numbers are told as people say them', () => {
  assert.equal(text.usage({ in: 5210, out: 640, cost: 0.012 }), '5.2k in, 640 out, $0.01');
  assert.equal(text.usage({ in: 15_210, out: 6, estimated: true, cost: 0.001 }), '~15k in, ~6 out, <$0.01');
  assert.equal(text.usage(undefined), '');
  assert.equal(text.files(1), '1 file');
  assert.equal(text.baseName('file:///w/a%20b.ts'), 'a b.ts');
  assert.equal(text.baseName('file:///w/100%.ts'), '100%.ts');
  assert.equal(text.line('one\ntwo', 9), 'one');
  assert.equal(text.line('a longer one', 6), 'a lon…');
});
