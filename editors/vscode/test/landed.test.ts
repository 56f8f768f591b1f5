import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Landed } from '../src/landed';

test('an undo of the user is seen as far as it went', () => {
  const landed = new Landed();
  const now = new Map([['a', 'a1'], ['b', 'b1']]);
  const standing = () => landed.standing('t', (uri) => now.get(uri));
  landed.text('t', 'a', 'a0', 'a1');
  landed.text('t', 'b', 'b0', 'b1');
  assert.deepEqual(standing(), { how: 'whole', back: 0, files: 2 });
  now.set('a', 'a0');
  assert.deepEqual(standing(), { how: 'part', back: 1, files: 2 });
  now.set('b', 'b0');
  assert.deepEqual(standing(), { how: 'nothing', back: 2, files: 2 });
  landed.file('t', 'new');
  assert.deepEqual(standing(), { how: 'part', back: 2, files: 3 }, 'the created file stays');
  now.set('b', 'b0 and more').set('a', 'a1');
  assert.deepEqual(standing(), { how: 'whole', back: 0, files: 3 }, 'what the user wrote is no undo');
});

test('a change that came in steps is taken back in steps', () => {
  const landed = new Landed();
  landed.text('t', 'a', '0', '1');
  landed.text('t', 'a', '1', '2');
  const how = (text: string) => landed.standing('t', () => text).how;
  assert.deepEqual(['2', '1', '0', '1', '2'].map(how), ['whole', 'part', 'nothing', 'part', 'whole']);
  landed.text('t', 'a', 'typed', '3');
  assert.deepEqual(['3', 'typed', '2', '0'].map(how), ['whole', 'part', 'part', 'nothing']);
});

test('it is known whose text a document has, and not for ever', () => {
  const landed = new Landed();
  landed.text('t', 'a', '0', '1');
  landed.file('u', 'a');
  assert.deepEqual(landed.of('a'), ['t']);
  landed.forget('t');
  assert.deepEqual(landed.of('a'), []);
  assert.equal(landed.standing('t', () => '0').how, 'whole');
  for (let i = 0; i < 30; i++) landed.text(`t${i}`, 'a', '0', '1');
  assert.equal(landed.of('a').length, 10);
});
