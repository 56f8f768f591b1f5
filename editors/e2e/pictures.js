// Makes pictures of what terminals showed: node pictures.js TOOLS FOLDER, where TOOLS is what install-vscode.sh has filled.
// Each FOLDER/NAME.ansi, a screen with its colours as tmux's capture-pane -e gives it, becomes FOLDER/NAME.png.
const fs = require('node:fs');
const path = require('node:path');

const [tools, folder] = process.argv.slice(2);

// The sixteen colours by number are whatever a terminal makes of them; these are readable on black.
const basic = [
  '#1c1f26', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d4d7de',
  '#7a808c', '#ff7b86', '#b5e08f', '#ffd98c', '#82c4ff', '#dc9af0', '#7fd4de', '#ffffff',
];
const ground = { fg: '#d4d7de', bg: '#14161b' };

/** One of the 256 colours. */
function colour(n) {
  if (n < 16) return basic[n];
  if (n > 231) return `rgb(${Array(3).fill(8 + 10 * (n - 232))})`;
  const level = (i) => (i ? 55 + 40 * i : 0);
  return `rgb(${[36, 6, 1].map((by) => level(Math.floor((n - 16) / by) % 6))})`;
}

/** What stands behind 38 or 48: a colour, and how many numbers it took. */
function extended(codes, i) {
  if (codes[i + 1] === 5) return [colour(codes[i + 2]), 2];
  return [`rgb(${codes.slice(i + 2, i + 5)})`, 4];
}

/** The state behind a sequence of numbers, such as 1;31. */
function changed(state, codes) {
  const next = { ...state };
  for (let i = 0; i < codes.length; i++) {
    const n = codes[i];
    if (n === 0) Object.assign(next, { fg: null, bg: null, bold: false, italic: false, line: false, reverse: false, dim: false });
    else if (n === 1) next.bold = true;
    else if (n === 2) next.dim = true;
    else if (n === 3) next.italic = true;
    else if (n === 4) next.line = true;
    else if (n === 7) next.reverse = true;
    else if (n === 22) next.bold = next.dim = false;
    else if (n === 23) next.italic = false;
    else if (n === 24) next.line = false;
    else if (n === 27) next.reverse = false;
    else if (n === 39) next.fg = null;
    else if (n === 49) next.bg = null;
    else if (n >= 30 && n <= 37) next.fg = colour(n - 30);
    else if (n >= 40 && n <= 47) next.bg = colour(n - 40);
    else if (n >= 90 && n <= 97) next.fg = colour(n - 82);
    else if (n >= 100 && n <= 107) next.bg = colour(n - 92);
    else if (n === 38 || n === 48) {
      const [value, took] = extended(codes, i);
      next[n === 38 ? 'fg' : 'bg'] = value;
      i += took;
    }
  }
  return next;
}

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function span(state, text) {
  let { fg, bg } = { fg: state.fg ?? ground.fg, bg: state.bg ?? ground.bg };
  if (state.reverse) [fg, bg] = [bg, fg];
  const style = [`color:${fg}`, `background:${bg}`];
  if (state.bold) style.push('font-weight:bold');
  if (state.italic) style.push('font-style:italic');
  if (state.line) style.push('text-decoration:underline');
  if (state.dim) style.push('opacity:.7');
  return `<span style="${style.join(';')}">${escaped(text)}</span>`;
}

/** A screen as a page. */
function page(screen) {
  let state = {};
  const body = screen
    .replace(/\n+$/, '\n')
    .replace(/\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b[()][A-Z0-9]|[\x0e\x0f\r]/g, '') // links, sets of characters
    .split(/(\x1b\[[\d;:]*[A-Za-z])/)
    .map((piece) => {
      const sequence = /^\x1b\[([\d;:]*)([A-Za-z])$/.exec(piece);
      if (!sequence) return piece && span(state, piece);
      if (sequence[2] === 'm') state = changed(state, (sequence[1] || '0').split(/[;:]/).map(Number));
      return '';
    })
    .join('');
  return `<!doctype html><meta charset="utf-8"><style>html{background:${ground.bg}}body{margin:0;display:inline-block;padding:10px}
pre{margin:0;font:14px/18px "DejaVu Sans Mono";color:${ground.fg};white-space:pre}</style><pre>${body}</pre>`;
}

(async () => {
  const { chromium } = require(path.join(tools, 'driver/node_modules/playwright-core'));
  const home = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'pictures-'));
  const browser = await chromium.launch({
    executablePath: path.join(tools, 'browser'),
    headless: true,
    env: { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: home, LANG: 'C.UTF-8' },
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking', '--disable-component-update'],
  });
  const tab = await browser.newPage({ viewport: { width: 400, height: 200 } });
  for (const name of fs.readdirSync(folder).filter((n) => n.endsWith('.ansi'))) {
    await tab.setContent(page(fs.readFileSync(path.join(folder, name), 'utf8')));
    await tab.locator('body').screenshot({ path: path.join(folder, name.replace(/ansi$/, 'png')) });
  }
  await browser.close();
  fs.rmSync(home, { recursive: true, force: true });
})().catch((err) => {
  console.error(err.stack);
  process.exitCode = 1;
});
