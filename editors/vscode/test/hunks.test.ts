import assert from 'node:assert/strict';
import { test } from 'node:test';
import { find, fromServer, hunkAt, linesOf, texts } from '../src/hunks';
import type { Hunk, PendingFile } from '../src/protocol';
import { before } from '../src/reviewtext';

const h = (number: number, line: number, oldText: string, newText: string, state?: Hunk['state']): Hunk => ({
  number,
  oldRange: { start: { line, character: 0 }, end: { line: line + linesOf(oldText).length, character: 0 } },
  oldText,
  newText,
  ...(state && { state }),
});
const file = (op: PendingFile['op'], ...hunks: Hunk[]): PendingFile => ({ uri: 'file:///a', op, added: 0, removed: 0, hunks });
const old = 'one\ntwo\nthree\nfour\n';

test('open hunks make the new side, and their places are in it', () => {
  const t = texts(file('update', h(1, 0, 'one\n', 'ONE\nand a half\n'), h(2, 2, 'three\n', ''), h(3, 4, '', 'five\n')), old);
  assert.equal(t.after, 'ONE\nand a half\ntwo\nfour\nfive\n');
  assert.deepEqual(t.placed, [{ number: 1, line: 0, lines: 2 }, { number: 2, line: 3, lines: 0 }, { number: 3, line: 4, lines: 1 }]);
  assert.deepEqual(t.lost, []);
  assert.equal(hunkAt(t.placed, 1)?.number, 1);
  assert.equal(hunkAt(t.placed, 2)?.number, 2, 'the line before the one that went');
  assert.equal(hunkAt(t.placed, 4)?.number, 3);
});

test('a decided hunk leaves the diff', () => {
  const t = texts(file('update', h(1, 0, 'one\n', 'ONE\nand a half\n', 'landed'), h(2, 2, 'three\n', 'THREE\n'), h(3, 3, 'four\n', 'x\n', 'discarded')), 'ONE\nand a half\ntwo\nthree\nfour\n');
  assert.equal(t.after, 'ONE\nand a half\ntwo\nTHREE\nfour\n');
  assert.deepEqual(t.placed, [{ number: 2, line: 3, lines: 1 }]);
});

test('hunks follow what the user types', () => {
  const t = texts(file('update', h(1, 1, 'two\n', 'TWO\n'), h(2, 3, '', 'between\n')), '# typed\n' + old);
  assert.equal(t.after, '# typed\none\nTWO\nthree\nbetween\nfour\n');
});

test('a hunk whose lines the user has changed is left out', () => {
  const t = texts(file('update', h(1, 1, 'two\n', 'TWO\n'), h(2, 3, 'four\n', 'FOUR\n')), 'one\ntwo and more\nthree\nfour\n');
  assert.equal(t.after, 'one\ntwo and more\nthree\nFOUR\n');
  assert.deepEqual(t.lost, [1]);
});

test('where lines stand twice and neither is the place, nobody guesses', () => {
  assert.equal(find(linesOf('x\na\nx\n'), ['x\n'], 1), undefined);
  assert.equal(find(linesOf('a\nx\nb\n'), ['x\n'], 0), 1);
  assert.equal(find(linesOf('a\r\nx\r\n'), ['x\n'], 1), 1, 'line breaks do not count');
});

test('created and deleted files have one side', () => {
  assert.equal(texts(file('create', h(1, 0, '', 'new\n')), '').after, 'new\n');
  assert.deepEqual(texts(file('delete', h(1, 0, old, '')), old), { before: old, after: '', placed: [], lost: [] });
});

test('texts without a last line break keep it so', () => {
  assert.equal(texts(file('update', h(1, 1, 'b', 'c')), 'a\nb').after, 'a\nc');
});

test('what is under review is taken back for the old side', () => {
  const range = (a: number, b: number) => ({ start: { line: a, character: 0 }, end: { line: b, character: 0 } });
  const now = 'ONE\ntwo\nnew\n';
  const hunks = [{ number: 1, range: range(0, 1), oldText: 'one\n' }, { number: 2, range: range(2, 3), oldText: '' }, { number: 3, range: range(3, 3), oldText: 'gone\n' }];
  const change = { uri: 'file:///a', op: 'update' as const, turnId: 't', proposalId: 'p', hunks };
  assert.equal(before(now, [change]), 'one\ntwo\ngone\n');
  assert.equal(before(now, []), now);
});

test('the server says where hunks are', () => {
  const range = (a: number, b: number, character = 0) => ({ start: { line: a, character: 0 }, end: { line: b, character } });
  const t = fromServer({
    revision: 1,
    base: 'a\n',
    new: null,
    hunks: [{ number: 2, baseRange: range(0, 1), newRange: range(3, 4, 2) }, { number: 4, baseRange: range(0, 1), newRange: range(3, 3), conflict: true }],
  });
  assert.deepEqual(t, { before: 'a\n', after: '', placed: [{ number: 2, line: 3, lines: 2 }], lost: [4] });
});
