// Builds the engine into dist/. Run by setup.mjs; use `npm run build`.
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
const tsup = join(root, 'node_modules/tsup/dist/cli-default.js');

rmSync(cache, { recursive: true, force: true });
mkdirSync(cache, { recursive: true });
const { code, output } = await runNode([tsup, '--out-dir', next, '--silent'], { cwd: root });
if (code !== 0) {
  process.stderr.write(output);
  process.exit(code);
}
finish();
swap();

function finish() {
  // What is in the bundles, for licenses.mjs; not part of the package.
  for (const name of ['metafile-esm.json', 'metafile-cjs.json'])
    renameSync(join(next, name), join(cache, name));
  for (const name of readdirSync(next).filter((each) => each.endsWith('.d.ts'))) {
    const text = readFileSync(join(next, name), 'utf8');
    // The same declarations for CommonJS: only where they find each other differs.
    writeFileSync(
      join(next, name.replace(/ts$/, 'cts')),
      text.replace(/(from|import\()( ?)'(\.\/[^']+)\.js'/g, "$1$2'$3.cjs'"),
    );
  }
  const cli = join(next, 'cli.js');
  if (!existsSync(cli)) return;
  const text = readFileSync(cli, 'utf8');
  // A banner of tsup's would also land in the chunk that the library shares.
  if (!text.startsWith('#!')) writeFileSync(cli, `#!/usr/bin/env node\n${text}`);
  chmodSync(cli, 0o755);
}

/** Whoever has the old build open, or starts while we build, never sees half a folder. */
function swap() {
  const dist = join(root, 'dist');
  const old = join(cache, 'old');
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(next, dist);
  rmSync(old, { recursive: true, force: true });
}
