// Builds the engine into dist/. Run by setup.mjs; use `npm run build`.
//
//   node scripts/build.mjs           what runs here: modules and the command
//   node scripts/build.mjs --rest    also what only users of the package need: declarations and CommonJS
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from './command.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, '.cache', 'build');
const next = join(cache, 'dist');
const dist = join(root, 'dist');
const tsup = join(root, 'node_modules/tsup/dist/cli-default.js');
const rest = process.argv.includes('--rest');

if (!rest) rmSync(cache, { recursive: true, force: true });
mkdirSync(cache, { recursive: true });
if (rest) await declare();
await runOrEnd([tsup, '--out-dir', next, '--silent', ...(rest ? ['--env.part', 'rest'] : [])]);
// What is in the bundles, for licenses.mjs; not part of the package.
const metafile = `metafile-${rest ? 'cjs' : 'esm'}.json`;
renameSync(join(next, metafile), join(cache, metafile));
if (rest) {
  addCommonDeclarations();
  addToDist();
} else {
  makeRunnable(join(next, 'cli.js'));
  swapDist();
}

/** Has the compiler declare each source, for tsup to gather. */
async function declare() {
  const types = join(cache, 'types');
  rmSync(types, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  const project = ['--project', 'tsconfig.src.json', '--incremental', 'false', '--rootDir', 'src'];
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', types];
  await runOrEnd([tsc, ...project, ...emit]);
}

/** @param {string[]} args of node */
async function runOrEnd(args) {
  const { code, output } = await runNode(args, { cwd: root });
  if (code === 0) return;
  process.stderr.write(output);
  process.exit(code);
}

/** The same declarations for CommonJS: only where they find each other differs. */
function addCommonDeclarations() {
  for (const name of readdirSync(next).filter((each) => each.endsWith('.d.ts'))) {
    const text = readFileSync(join(next, name), 'utf8');
    writeFileSync(
      join(next, name.replace(/ts$/, 'cts')),
      text.replace(/(from|import\()( ?)'(\.\/[^']+)\.js'/g, "$1$2'$3.cjs'"),
    );
  }
}

/** @param {string} cli */
function makeRunnable(cli) {
  const text = readFileSync(cli, 'utf8');
  // A banner of tsup's would also land in the chunk that the library shares.
  if (!text.startsWith('#!')) writeFileSync(cli, `#!/usr/bin/env node\n${text}`);
  chmodSync(cli, 0o755);
}

/** Replaces dist/ in one step, so that a process that starts during the build never sees half a folder. */
function swapDist() {
  const old = join(cache, 'old');
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(next, dist);
  rmSync(old, { recursive: true, force: true });
}

function addToDist() {
  for (const entry of readdirSync(next, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    renameSync(from, join(dist, from.slice(next.length)));
  }
  rmSync(next, { recursive: true });
}
