import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Memento } from 'vscode';
import { aboveNote, placeAgain, Queue, waitsNote, type Queued, type Sent } from '../src/queue';

/** A queue with a server that answers as the test says, and what it was sent. */
function world(kept: unknown[] = []) {
  const store = new Map<string, unknown>([['coauthor.queue', kept]]);
  const memory = { get: (k: string) => store.get(k), update: async (k: string, v: unknown) => void store.set(k, v) } as unknown as Memento;
  const w = {
    runs: false,
    stops: 0,
    sent: [] as string[],
    answer: async (_: Queued): Promise<Sent> => {
      w.runs = true;
      return 'taken';
    },
    words: () => q.all().map((m) => m.words),
    notes: () => q.all().map((m) => m.note),
    kept: () => (store.get('coauthor.queue') as { words: string }[]).map((m) => m.words),
    add: (words: string, command = 'edit', note?: string) => q.add({ words, command, argument: { instruction: words, diagnostics: [1] } }, note),
  };
  const q = new Queue(memory, {
    send: (m) => {
      w.sent.push(m.words);
      return w.answer(m);
    },
    busy: () => w.runs,
    stop: async () => void w.stops++,
    changed: () => undefined,
  });
  return { q, w };
}

test('a message is sent at once where nothing runs, and waits where something does', async () => {
  const { q, w } = world();
  await w.add('one');
  assert.deepEqual([w.sent, w.words()], [['one'], []]);
  await w.add('two');
  await w.add('three');
  assert.deepEqual([w.sent, w.words(), w.notes()], [['one'], ['two', 'three'], [waitsNote, waitsNote]]);
  w.runs = false;
  await q.over('well');
  assert.deepEqual([w.sent, w.words()], [['one', 'two'], ['three']]);
  w.runs = false;
  await q.over('well');
  assert.deepEqual([w.sent, w.words()], [['one', 'two', 'three'], []]);
});

test('what starts nothing lets the next one go', async () => {
  const { q, w } = world();
  w.runs = true;
  for (const words of ['/add x', '/drop y', 'change it']) await w.add(words);
  w.answer = async (m) => {
    w.runs = !m.words.startsWith('/');
    return 'taken';
  };
  w.runs = false;
  await q.over('well');
  assert.deepEqual([w.sent, w.words()], [['/add x', '/drop y', 'change it'], []]);
});

test('behind a request that came to nothing a message is sent only by the user', async () => {
  const { q, w } = world();
  w.runs = true;
  await w.add('one');
  await w.add('two');
  w.runs = false;
  await q.over('wrong', 'Not sent: the previous request failed.');
  assert.deepEqual([w.sent, w.notes()], [[], Array(2).fill('Not sent: the previous request failed.')]);
  await q.now(q.all()[1]!.id, true);
  assert.deepEqual([w.sent, w.words(), w.stops], [['two'], ['one'], 0]);
});

test('sent now, a message stops what runs and goes before the others, which wait for the user', async () => {
  const { q, w } = world();
  w.runs = true;
  await w.add('one');
  await w.add('two');
  await q.now(q.all()[1]!.id, true);
  assert.deepEqual([w.stops, w.sent], [1, []]);
  w.runs = false;
  await q.over('wrong', 'stopped');
  assert.deepEqual([w.sent, w.words(), w.notes()], [['two'], ['one'], ['stopped']]);
});

test('a question sent now goes beside what runs', async () => {
  const { q, w } = world();
  w.runs = true;
  await w.add('why?', 'ask');
  await q.now(q.all()[0]!.id, false);
  assert.deepEqual([w.stops, w.sent, w.words()], [0, ['why?'], []]);
});

test('what could not be sent is there with the reason', async () => {
  const { q, w } = world();
  w.answer = async () => {
    throw new Error('The server does not run.');
  };
  await w.add('one');
  await w.add('two');
  assert.deepEqual([w.words(), w.notes()[0], w.sent], [['one', 'two'], 'The server does not run.', ['one']]);
  w.answer = async () => 'busy';
  await q.now(q.all()[0]!.id, true);
  assert.deepEqual([w.words(), w.notes()[0]], [['one', 'two'], waitsNote], 'another request has come before it');
  w.answer = async () => 'taken';
  await q.over('well');
  assert.deepEqual(w.words(), []);
  await w.add('three', 'edit', 'why not');
  await w.add('four');
  assert.deepEqual([w.words(), w.notes()], [['three', 'four'], ['why not', aboveNote]]);
  q.back(q.all()[0]!.id);
  assert.deepEqual([w.words(), w.sent.at(-1)], [['four'], 'four'], 'what stood in its way is gone');
});

test('a message can be taken back until it is on its way', async () => {
  const { q, w } = world();
  w.runs = true;
  await w.add('one');
  const [first] = q.all();
  assert.equal(q.back(first!.id)?.words, 'one');
  assert.equal(q.back(first!.id), undefined);
  w.runs = false;
  let arrive: (s: Sent) => void = () => undefined;
  w.answer = () => new Promise((done) => (arrive = done));
  const adding = w.add('two');
  const { id } = q.all()[0]!;
  assert.ok(q.isSending(id));
  assert.equal(q.back(id), undefined);
  await q.now(id, true);
  arrive('taken');
  await adding;
  assert.deepEqual([w.sent, w.words()], [['two'], []]);
});

test('what waited in a window that is gone waits in the next one, and nowhere else', async () => {
  const gone = { id: 'm1', words: 'old', command: 'edit', argument: {}, note: '', held: false, pid: 2 ** 22 + 1 };
  const { q, w } = world([gone, { ...gone, id: 'm2', words: 'of another window', pid: process.ppid }]);
  q.restore();
  assert.deepEqual([w.words(), w.sent], [['old'], []]);
  w.runs = true;
  await w.add('new');
  assert.deepEqual(w.kept(), ['of another window', 'old', 'new']);
});

test('no message is lost or sent twice, whatever happens', async () => {
  let seed = 1;
  const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  for (let round = 0; round < 300; round++) {
    const { q, w } = world();
    const added: string[] = [];
    const back: string[] = [];
    w.answer = async () => {
      const what = random(4);
      if (what === 0) throw new Error('gone');
      if (what === 1) return 'busy';
      w.runs = what === 2;
      return 'taken';
    };
    const taken: string[] = [];
    const { answer } = w;
    w.answer = async (m) => {
      const sent = await answer(m);
      if (sent === 'taken') taken.push(m.words);
      return sent;
    };
    for (let step = 0; step < 20; step++) {
      const any = q.all()[random(Math.max(1, q.all().length))]?.id ?? '';
      switch (random(5)) {
        case 0:
        case 1:
          added.push(`m${step}`);
          await w.add(`m${step}`, random(2) ? 'edit' : 'ask');
          break;
        case 2:
          w.runs = false;
          await q.over(random(2) ? 'well' : 'wrong', 'why');
          break;
        case 3:
          await q.now(any, random(2) === 0);
          break;
        case 4: {
          const m = q.back(any);
          if (m) back.push(m.words);
        }
      }
    }
    assert.deepEqual([...taken, ...back, ...w.words()].sort(), [...added].sort());
  }
});

test('what was selected is found again where it can mean one place alone', () => {
  assert.equal(placeAgain('a\nb\nc\n', 'b\n'), 2);
  for (const [text, selected] of [['bb', 'b'], ['a', 'b'], ['a', '']] as const) assert.equal(placeAgain(text, selected), undefined);
});
