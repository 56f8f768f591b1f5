import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { AskedBefore, type Asked } from '../src/asked';

/** What VS Code remembers for a folder; it outlives the process, and two windows share it. */
class Memory {
  readonly values = new Map<string, unknown>();
  keys = () => [...this.values.keys()];
  get<T>(key: string, otherwise?: T): T {
    return (this.values.get(key) ?? otherwise) as T;
  }
  update = async (key: string, value: unknown) => void this.values.set(key, value);
}

test('a request whose process is gone was cut off, and only that', () => {
  const memory = new Memory();
  const asked = new AskedBefore(memory);
  asked.started({ turnId: 'a', words: 'be polite', command: 'edit', argument: { uri: 'file:///a', version: 3, diagnostics: [1], instruction: 'be polite' } }, true);
  asked.started({ turnId: 'b', words: 'why?', command: 'ask', argument: {} }, true);
  asked.started({ turnId: 'quick', words: 'why?', command: 'ask', argument: {} }, false);
  asked.ended('b');
  assert.deepEqual(new AskedBefore(memory).takeCut(), [], 'it runs in this process, or in another window');
  const gone = spawnSync('node', ['-e', '0']).pid;
  const left = memory.get<Asked[]>('coauthor.running').map((a) => ({ ...a, pid: gone }));
  memory.values.set('coauthor.running', [...left, { ...left[0], turnId: 'c', pid: process.ppid }]);
  const next = new AskedBefore(memory);
  assert.deepEqual(next.takeCut().map((a) => [a.turnId, a.words, a.command]), [['a', 'be polite', 'edit']]);
  assert.deepEqual(next.get('a')?.argument, { uri: 'file:///a', instruction: 'be polite' }, 'positions in an older text are asked again');
  assert.deepEqual(next.takeCut(), [], 'it is told twice');
  next.ended('nobody');
  assert.deepEqual(memory.get<Asked[]>('coauthor.running').map((a) => a.turnId), ['c']);
});

test('what was asked long ago is forgotten', () => {
  const asked = new AskedBefore(new Memory());
  for (let i = 0; i < 300; i++) asked.started({ turnId: `t${i}`, words: 'x', command: 'ask', argument: {} }, true);
  assert.equal(asked.get('t0'), undefined);
  assert.equal(asked.get('t299')?.command, 'ask');
});
