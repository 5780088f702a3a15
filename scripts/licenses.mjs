// THIRD-PARTY-LICENSES.txt: the licences of every package whose code is in dist/, as the last build's metafiles list it.
//
//   node scripts/licenses.mjs --write    npm run licenses
//   node scripts/licenses.mjs --check    fails when the file does not say what the bundles hold
import './node-version.mjs';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledPackages, describe, renderLicenses } from './bundled-licenses.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'THIRD-PARTY-LICENSES.txt');
const metafiles = ['metafile-esm.json', 'metafile-cjs.json'].map((name) =>
  JSON.parse(readFileSync(join(root, '.cache', 'build', name), 'utf8')),
);
const intro =
  'The files in dist/ contain code of the packages named below, bundled and, in the case of\n' +
  'Chevrotain, without the parts that are not used, under the licence that follows its name.';

const bundled = bundledPackages(root, metafiles);
const text = renderLicenses(bundled, intro);
if (process.argv.includes('--write')) {
  writeFileSync(target, text);
  process.stdout.write(`${bundled.map(describe).join('\n')}\n`);
} else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  process.stderr.write(
    `THIRD-PARTY-LICENSES.txt does not say what the bundles hold; run \`npm run licenses\`.\n`,
  );
  process.exitCode = 1;
}
