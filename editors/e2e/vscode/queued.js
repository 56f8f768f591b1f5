// Messages that are written in VS Code while a request runs: node queued.js WORLD.json
const { assert, w, at, ask, ready, clear, main, until } = require('./scene');

const held = (v) => until('the model holds its answer', async () => /Writing/.test(await v.status()));

/** Writes a message into the chat by keys and sends it; the box is empty afterwards. */
async function say(v, frame, words) {
  const box = frame.locator('footer textarea');
  await box.click();
  await v.page.keyboard.type(words, { delay: 20 });
  await v.page.keyboard.press('Enter');
  await until('the box is empty', async () => (await box.inputValue()) === '');
}

const waiting = (frame) => frame.locator('.waiting:has(button) .words').allInnerTexts();
const press = (frame, words, button) => frame.locator('.waiting', { hasText: words }).locator('button', { hasText: button }).click();
const done = (frame, words) => frame.locator('article[data-state=done] .words', { hasText: words }).waitFor();

/** Pastes or drops a picture into the chat, as the browser tells the page of it. */
const bring = (frame, event, name) =>
  frame.locator('footer textarea').evaluate(
    (box, [event, name]) => {
      const data = new DataTransfer();
      const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      data.items.add(new File([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))], name, { type: 'image/png' }));
      const how = { bubbles: true, cancelable: true };
      box.dispatchEvent(event === 'paste' ? new ClipboardEvent('paste', { ...how, clipboardData: data }) : new DragEvent('drop', { ...how, dataTransfer: data }));
    },
    [event, name],
  );

/** What is written while a request runs waits below it: it is edited, taken back, and sent when that has ended. */
async function waits(v) {
  await v.open('greet.py');
  await ready(v);
  await v.command('coauthor.client.chat');
  const frame = await v.chat();
  await frame.locator('footer select').selectOption('ask');
  await say(v, frame, 'first question');
  await held(v);
  for (const words of ['second question', 'not this']) await say(v, frame, words);
  const pictures = async (...names) => (await frame.locator('.pictures .name').allInnerTexts()).join() === names.join();
  await bring(frame, 'paste', 'pasted.png');
  await until('it is pasted', () => pictures('pasted.png'));
  await bring(frame, 'drop', 'dropped.png');
  await until('it is dropped', () => pictures('pasted.png', 'dropped.png'));
  await v.shot('queued-0-pictures');
  await say(v, frame, 'third questoin');
  await until('they wait with the message', () => pictures());
  await until('they wait', async () => (await waiting(frame)).length === 3);
  assert.deepEqual(await waiting(frame), ['second question', 'not this', 'third questoin']);
  await v.shot('queued-1-waiting');
  await press(frame, 'not this', 'Remove');
  await frame.locator('footer textarea').fill('and');
  await press(frame, 'third questoin', 'Edit');
  const box = frame.locator('footer textarea');
  await until('it is in the box, behind what was there', async () => (await box.inputValue()) === 'and\n\nthird questoin');
  await until('its pictures are there again', () => pictures('pasted.png', 'dropped.png'));
  await box.fill('third question');
  await box.press('Enter');
  await until('it waits again', async () => (await waiting(frame)).join() === 'second question,third question');
  await v.page.keyboard.type('half a thou', { delay: 20 });
  await fetch(w.release);
  for (const words of ['first question', 'second question', 'third question']) await done(frame, words);
  assert.equal(await frame.locator('article .words', { hasText: 'not this' }).count(), 0);
  assert.deepEqual([await waiting(frame), await box.inputValue()], [[], 'half a thou']);
  await box.fill('');
}

/** A message that cannot wait stops what runs; the others wait for the user. */
async function sentNow(v) {
  const frame = await v.chat();
  await frame.locator('footer select').selectOption('edit');
  await say(v, frame, 'slow change');
  await held(v);
  await say(v, frame, 'some day');
  await say(v, frame, 'urgent change');
  await press(frame, 'urgent change', 'Send now');
  await frame.locator('article[data-state=stopped] .words', { hasText: 'slow change' }).waitFor();
  await until('the change waits', async () => /1 file pending/.test(await v.status()));
  await done(frame, 'urgent change');
  await until('the other one waits for the user', async () => (await waiting(frame)).join() === 'some day');
  assert.match(await frame.locator('.waiting .line').innerText(), /the previous request was stopped/);
  await v.shot('queued-2-held');
  await press(frame, 'some day', 'Remove');
  await v.command('coauthor.client.discardAll');
  await until('nothing waits', async () => !/pending/.test(await v.status()));
}

/** An instruction of the box in the editor waits as well. */
async function fromTheEditor(v) {
  const frame = await v.chat();
  await frame.locator('footer select').selectOption('edit');
  await say(v, frame, 'slow change again');
  await held(v);
  await v.open('greet.py');
  await at(v, 0, 0, 2, 0);
  await ask(v, 'written in the editor');
  await until('it waits', async () => (await waiting(frame)).join() === 'written in the editor');
  await fetch(w.release);
  await done(frame, 'slow change again');
  await done(frame, 'written in the editor');
  await v.command('coauthor.client.discardAll');
  await clear(v);
}

/** Without the program a message is not lost: it says why it was not sent, and is sent when it can be. */
async function withoutTheProgram(v) {
  await v.set('coauthor.server.path', '/nowhere/coauthor');
  await until('it is missing', async () => /program not found/.test(await v.status()));
  const frame = await v.chat();
  await frame.locator('footer select').selectOption('ask');
  await say(v, frame, 'is somebody there?');
  await until('it waits', async () => (await waiting(frame)).join() === 'is somebody there?');
  await v.shot('queued-3-no-program');
  assert.match(await frame.locator('.waiting .line').innerText(), /nowhere/);
  await v.set('coauthor.server.path');
  await ready(v);
  await press(frame, 'is somebody there?', 'Send now');
  await done(frame, 'is somebody there?');
  assert.deepEqual(await waiting(frame), []);
}

main([waits, sentNow, fromTheEditor, withoutTheProgram]);
