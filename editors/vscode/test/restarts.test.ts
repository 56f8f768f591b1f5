import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Restarts } from '../src/restarts';

test('a server that ends now and then is started again each time', () => {
  let now = 0;
  const restarts = new Restarts(() => now);
  for (let i = 0; i < 20; i++) {
    assert.ok(restarts.another(), `end ${i}`);
    now += 60_000;
  }
});

test('one that ends again and again is left alone, until the user has it started', () => {
  const restarts = new Restarts(() => 0);
  assert.deepEqual([1, 2, 3, 4, 5, 6].map(() => restarts.another()), [true, true, true, true, false, false]);
  restarts.forget();
  assert.ok(restarts.another());
});
