// Runs every test file that holds a property, with random seeds.
//
//   node scripts/properties.mjs                 one random seed
//   node scripts/properties.mjs --seeds 100     a hundred of them, one run after another
//   node scripts/properties.mjs --seed 7        this one: what a failure prints to be run again
//   node scripts/properties.mjs test/list       only files whose path begins so
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runNode } from './command.mjs';
import './end-with-npm.mjs';
import { prepare, prepareExtras, root } from './prepare.mjs';
import { testFiles } from './suites.mjs';

const { values, positionals } = parseArgs({
  options: { seeds: { type: 'string', default: '1' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const seeds =
  values.seed === undefined
    ? Array.from({ length: wholeNumber('--seeds', values.seeds, 1) }, () => randomInt(2 ** 31))
    : [wholeNumber('--seed', values.seed, -(2 ** 31))];

const files = testFiles(root)
  .filter(({ hasProperties }) => hasProperties)
  .map(({ file }) => file)
  .filter((file) => positionals.length === 0 || positionals.some((prefix) => file.startsWith(prefix)));
if (files.length === 0) {
  process.stderr.write(`properties: no test file with a property below ${positionals.join(', ')}\n`);
  process.exit(2);
}

await prepare();
// Some properties compare with engines and libraries that are installed apart.
await prepareExtras();
process.stdout.write(`properties: ${files.length} files, ${seeds.length} random seeds\n`);
const failed = [];
for (const [index, seed] of seeds.entries()) {
  const start = performance.now();
  const { code, output } = await runNode([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files], {
    cwd: root,
    env: { PROPERTY_SEED: String(seed), NO_COLOR: '1' },
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(
    `seed ${seed}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s (${index + 1} of ${seeds.length})\n`,
  );
  if (code === 0) continue;
  failed.push(seed);
  process.stdout.write(`${output.trimEnd()}\n`);
}
if (failed.length > 0) {
  process.stdout.write(`\nproperties: run these again with --seed: ${failed.join(' ')}\n`);
  process.exitCode = 1;
}

/**
 * @param {string} option
 * @param {string} text
 * @param {number} min
 */
function wholeNumber(option, text, min) {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= min && value < 2 ** 31) return value;
  process.stderr.write(`properties: ${option}: expected a whole number, found "${text}"\n`);
  process.exit(2);
}
