import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TypeAhead, type Change } from '../src/typeahead';

/** A text in which ‹ and › are around what is selected, or only › where a cursor stands. */
function marked(text: string): { text: string; selected: { start: number; end: number }[] } {
  let plain = '';
  let start: number | undefined;
  const selected: { start: number; end: number }[] = [];
  for (const c of text) {
    if (c === '‹') start = plain.length;
    else if (c === '›') {
      selected.push({ start: start ?? plain.length, end: plain.length });
      start = undefined;
    } else plain += c;
  }
  return { text: plain, selected };
}

/** Carries events out, and tells what is made of them: what was typed, and the text after it was put back. */
function play(before: string, cursor: (text: string) => number, ...events: [number, number, string][][]): [string, string] | undefined {
  const m = marked(before);
  const ahead = new TypeAhead(m.text, m.selected);
  let text = m.text;
  for (const event of events) {
    const changes: Change[] = event.map(([rangeOffset, rangeLength, words]) => ({ rangeOffset, rangeLength, text: words }));
    ahead.take(changes);
    for (const c of [...changes].sort((a, b) => b.rangeOffset - a.rangeOffset)) text = text.slice(0, c.rangeOffset) + c.text + text.slice(c.rangeOffset + c.rangeLength);
  }
  const back = ahead.back(text, cursor(text));
  if (!back) return undefined;
  for (const p of [...back.pieces].sort((a, b) => b.start - a.start)) text = text.slice(0, p.start) + p.text + text.slice(p.end);
  return [back.said, text];
}

const after = (words: string) => (text: string) => text.indexOf(words) + words.length;

test('what was typed at a cursor goes out of the text again', () => {
  assert.deepEqual(play('ab›cd', after('abxy'), [[2, 0, 'x']], [[3, 0, 'y']]), ['xy', 'abcd']);
  assert.deepEqual(play('ab›cd', after('abx'), [[2, 0, 'x']], [[3, 0, 'y']], [[3, 1, '']]), ['x', 'abcd'], 'a key was taken back');
  assert.deepEqual(play('a\r\n›b', after('\nx\r\n'), [[3, 0, 'x']], [[4, 0, '\r\n']]), ['x\n', 'a\r\nb']);
  assert.deepEqual(play('ab›cd', after('ab('), [[2, 0, '()']]), ['(', 'abcd'], 'the other bracket was not typed');
  assert.equal(play('ab›cd', after('ab')), undefined);
});

test('what was typed over is there again', () => {
  assert.deepEqual(play('a‹bc›d', after('axy'), [[1, 2, 'x']], [[2, 0, 'y']]), ['xy', 'abcd']);
  assert.deepEqual(play('a‹bc›d', after('a'), [[1, 2, '']]), ['', 'abcd'], 'it was deleted');
  assert.deepEqual(play('a‹bc›d', after('a('), [[1, 0, '('], [3, 0, ')']], [[2, 2, 'x']]), ['(', 'abcd'], 'brackets were put around it');
  assert.deepEqual(play('a‹bc›d‹ef›', after('ax'), [[4, 2, 'x'], [1, 2, 'x']], [[2, 0, 'y'], [4, 0, 'y']]), ['x', 'abcdef'], 'there are several cursors');
});

test('what others write stays', () => {
  assert.deepEqual(play('ab›cd', after('x'), [[0, 1, 'before ']], [[8, 0, 'x']], [[9, 2, '!']]), ['x', 'before b!']);
  assert.deepEqual(play('a‹bcd›e', after('ax'), [[2, 1, 'CC']], [[1, 4, 'x']]), ['x', 'abCCde'], 'in what is selected, before it was typed over');
  assert.equal(play('a‹bcd›e', after('a'), [[2, 1, 'CC']]), undefined);
  assert.equal(play('ab›cd', after('ab'), [[2, 0, 'x']], [[1, 3, 'all']]), undefined, 'over what was typed and more');
  assert.equal(play('ab›cd', after('ab'), [[1, 1, '']]), undefined, 'before the cursor');
});
