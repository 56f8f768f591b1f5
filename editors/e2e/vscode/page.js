// The page of the chat in the browser, without VS Code around it: node page.js WORLD.json
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { browser, until } = require('./lib');

const w = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));

/** A frame in which the script of the page has not run yet, and which takes down what it is going to say. */
async function frameOf(page) {
  await page.setContent('<button>elsewhere</button><iframe srcdoc="<!DOCTYPE html><body><script>var said = []; var acquireVsCodeApi = () => ({ postMessage: (m) => said.push(m), getState: () => undefined, setState: () => undefined })</script>"></iframe>');
  await page.locator('button').focus();
  const frame = page.frames()[1];
  await until('the frame is read', () => frame.evaluate('document.readyState === "complete" && said.length === 0'));
  return frame;
}

const focused = (frame) => frame.evaluate('document.hasFocus()');
const tellsFocus = (frame) => frame.evaluate('said.filter((m) => m.kind === "focus").map((m) => m.on)');
const box = (frame) => frame.locator('footer textarea').inputValue();

async function main() {
  const extensions = path.join(w.own, 'extensions');
  const ours = fs.readdirSync(extensions).find((name) => name.startsWith('coauthor.'));
  const script = { path: path.join(extensions, ours, 'dist/chat.js') };
  const b = await browser(w);
  const page = await b.newPage();

  const early = await frameOf(page);
  await early.evaluate('window.focus()');
  await until('the page has the focus before its script', () => focused(early));
  await early.addScriptTag(script);
  assert.deepEqual(await tellsFocus(early), [true]);
  await page.keyboard.type('early');
  assert.equal(await box(early), 'early', 'keys went nowhere');

  const late = await frameOf(page);
  assert.equal(await focused(late), false);
  await late.addScriptTag(script);
  await page.keyboard.type('x');
  assert.deepEqual([await tellsFocus(late), await box(late)], [[], ''], 'the page took a focus that it was not given');
  await late.evaluate('window.focus()');
  await until('the page has the focus', () => focused(late));
  await page.keyboard.type('late');
  assert.deepEqual([await tellsFocus(late), await box(late)], [[true], 'late']);
  await b.close();
}

main().catch((err) => {
  console.log(err.stack);
  process.exit(1);
});
