// Bundles the extension and the chat's page; with --test the unit tests. Writes the licences of what is in the bundle.
import { build } from 'esbuild';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const common = { bundle: true, minify: true, sourcemap: false, legalComments: 'none', logLevel: 'warning', metafile: true };

async function tests() {
  rmSync('out', { recursive: true, force: true });
  const entryPoints = readdirSync('test').filter((f) => f.endsWith('.test.ts')).map((f) => `test/${f}`);
  await build({ ...common, minify: false, entryPoints, outdir: 'out', platform: 'node', target: 'node20', format: 'cjs' });
}

async function extension() {
  rmSync('dist', { recursive: true, force: true });
  const host = await build({
    ...common,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
  });
  const page = await build({
    ...common,
    entryPoints: { chat: 'src/chat/page/main.ts' },
    outdir: 'dist',
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
  });
  licences([host, page]);
}

/** The licences of all packages of which something is in the bundles. */
function licences(results) {
  const packages = new Set();
  for (const input of results.flatMap((r) => Object.keys(r.metafile.inputs))) {
    const at = input.lastIndexOf('node_modules/');
    if (at < 0) continue;
    const parts = input.slice(at + 'node_modules/'.length).split('/');
    packages.add(input.slice(0, at) + 'node_modules/' + parts.slice(0, parts[0].startsWith('@') ? 2 : 1).join('/'));
  }
  let text = '';
  for (const dir of [...packages].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
    const file = readdirSync(dir).find((f) => /^(licen[cs]e|copying)/i.test(f));
    if (!file && !license) throw new Error(`${name} has no licence`);
    text += `${name} ${version} (${license})\n\n${file ? readFileSync(path.join(dir, file), 'utf8').trim() : ''}\n\n${'-'.repeat(80)}\n\n`;
  }
  writeFileSync('dist/LICENSES.txt', text);
}

await (process.argv.includes('--test') ? tests() : extension());
