import assert from 'node:assert/strict';
import { test } from 'node:test';
import { find, startProblem, type Where } from '../src/binary';

function where(over: Partial<Where>, programs: string[], others: string[] = []): Where {
  return {
    setting: '',
    extension: '/ext',
    home: '/home/u',
    platform: 'linux',
    env: { PATH: '/usr/bin:.:bin::/opt/bin' },
    look: (f) => (programs.includes(f) ? 'program' : others.includes(f) ? 'other' : 'nothing'),
    ...over,
  };
}

test('the setting comes first, then what came along, then the PATH', () => {
  const all = ['/s/coauthor', '/ext/bin/coauthor', '/opt/bin/coauthor'];
  assert.deepEqual(find(where({ setting: '/s/coauthor' }, all)), { command: '/s/coauthor', from: 'setting' });
  assert.deepEqual(find(where({ setting: ' ~/c ' }, ['/home/u/c'])), { command: '/home/u/c', from: 'setting' });
  assert.deepEqual(find(where({}, all)), { command: '/ext/bin/coauthor', from: 'bundled' });
  assert.deepEqual(find(where({}, ['/opt/bin/coauthor'])), { command: '/opt/bin/coauthor', from: 'path' });
  assert.deepEqual(find(where({ setting: 'coauthor-next' }, ['/usr/bin/coauthor-next'])), { command: '/usr/bin/coauthor-next', from: 'setting' });
});

test('what a repository may bring is not run', () => {
  assert.ok('problem' in find(where({}, ['bin/coauthor', './coauthor', 'coauthor'])));
  assert.ok('problem' in find(where({ setting: './coauthor' }, ['./coauthor'])));
});

test('a wrong setting is told and not passed over', () => {
  const all = ['/ext/bin/coauthor'];
  assert.match((find(where({ setting: '/gone' }, all)) as { problem: string }).problem, /\/gone does not exist/);
  assert.match((find(where({ setting: '/dir' }, all, ['/dir'])) as { problem: string }).problem, /is not a program/);
  assert.match((find(where({}, [])) as { problem: string }).problem, /on the PATH/);
});

test('Windows has its own names', () => {
  const win = { platform: 'win32' as const, extension: 'C:\\ext', home: 'C:\\u', env: { PATH: 'C:\\a;D:\\b', PATHEXT: '.COM;.EXE' } };
  assert.deepEqual(find(where(win, ['C:\\ext\\bin\\coauthor.exe'])), { command: 'C:\\ext\\bin\\coauthor.exe', from: 'bundled' });
  assert.deepEqual(find(where(win, ['D:\\b\\coauthor.exe'])), { command: 'D:\\b\\coauthor.exe', from: 'path' });
  assert.deepEqual(find(where({ ...win, setting: 'next' }, ['D:\\b\\next.exe'])), { command: 'D:\\b\\next.exe', from: 'setting' });
});

test('what cannot be started is told in words', () => {
  const failed = 'Launching server using command /c failed. Error: spawn ';
  assert.match(startProblem('/c', `${failed}EACCES`), /is not executable/);
  assert.match(startProblem('/c', `${failed}ENOEXEC`), /another platform/);
  assert.match(startProblem('/c', 'spawn Unknown system error -86'), /another platform/);
  assert.match(startProblem('/c', `${failed}/c ENOENT`), /no longer exists/);
  assert.match(startProblem('/c', 'Pending response rejected since connection got disposed'), /ended without an answer/);
  assert.match(startProblem('/c', 'boom'), /boom/);
});
