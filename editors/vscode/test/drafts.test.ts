import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Drafts, draftState } from '../src/drafts';
import { isWaiting, openFiles, title } from '../src/proposals';
import { hunk } from './proposal';

test('what is being written is shown, and cannot be decided on', () => {
  const drafts = new Drafts();
  const file = { uri: 'file:///w/a', op: 'update' as const, added: 2, removed: 1, hunks: [hunk(1)] };
  const first = drafts.take({ turnId: 't', uri: 'file:///w', files: [file] }, 'be polite');
  assert.equal(isWaiting(first), false);
  assert.deepEqual(openFiles(first).map((f) => title(first, f, 'a')), ['a (+2 -1)']);
  const next = drafts.take({ turnId: 't', uri: 'file:///w', files: [file, { ...file, uri: 'file:///w/b' }] }, 'be polite');
  assert.equal(drafts.get(first.proposalId), next, 'the later one takes the place of the earlier');
  assert.deepEqual([drafts.all().length, next.files.length, next.state], [1, 2, draftState]);
  assert.equal(drafts.drop('t'), next);
  assert.equal(drafts.drop('t'), undefined);
  assert.deepEqual(drafts.all(), []);
});
