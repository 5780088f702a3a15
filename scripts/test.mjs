// npm test: sets the checkout up, then runs the fast tests and the conformance vectors.
// npm run test:all: everything that `npm test` leaves out, after it or alone.
//
//   npm test                                 units, properties with a fifth of their runs, each server used end to end
//   npm test -- --sequence.shuffle.files     flags of vitest apply to the same tests
//   npm test -- test/lint                    paths: all test files below them, with all their runs
//   npm run test:all                         slow files, etcd, the package, the pages, SQL engines; two fifths of the runs
//
// No file runs a second time: a test that sometimes fails is a bug to fix. All runs of every property: `npm run properties`.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './command.mjs';
import './end-with-npm.mjs';
import { prepare, prepareExtras, root } from './prepare.mjs';
import { suites, testFiles } from './suites.mjs';

/** Share of its runs that a property makes in `npm test` and in `npm run test:all`. */
const propertyShares = { fast: '0.2', slow: '0.4' };
/** A fast file that takes more than this share of its suite's processor time belongs to the slow ones. */
const maxShareOfSuite = 0.02;

const given = process.argv.slice(2);
const isRest = given.includes('--rest');
const args = given.filter((each) => each !== '--rest');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

await prepare();
if (isRest) await prepareExtras();
process.exitCode = args.some((each) => !each.startsWith('-'))
  ? (await runNode([vitest, 'run', ...args], { cwd: root, echo: true })).code
  : await runSet(isRest ? 'slow' : 'fast');

/**
 * Runs one of the two sets and reports what it cost and what it left out.
 *
 * @param {import('./suites.mjs').TestSet} set
 * @returns {Promise<number>} the exit code
 */
async function runSet(set) {
  const costs = costsOf(set);
  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(costs, { force: true });
  /** @type {Record<string, string>} */
  const env = { TEST_SET: set, TEST_COSTS: costs, PROPERTY_SHARE: propertyShares[set] };
  const tests = await runNode([vitest, 'run', ...args], { cwd: root, echo: true, env });
  printCosts();
  if (set === 'slow') {
    warnOfSlowFiles();
    return tests.code;
  }
  printLeftOut();
  // Runs even if a test failed: its counts are the last line of `npm test`.
  const vectors = ['--import', 'tsx', 'test/conformance/run.ts'];
  const conformance = await runNode(vectors, { cwd: root, echo: true });
  return tests.code || conformance.code;
}

/** Prints how many files each suite ran, and the processor seconds that they took. */
function printCosts() {
  for (const set of /** @type {const} */ (['fast', 'slow'])) {
    const measured = readCosts(set);
    if (measured.length === 0) continue;
    process.stdout.write(
      `\n${set === 'fast' ? 'npm test' : 'npm run test:all'}, processor seconds by suite:\n`,
    );
    for (const { suite, files, seconds } of bySuite(measured)) {
      process.stdout.write(
        `  ${suite.padEnd(12)}${String(files).padStart(5)} files${seconds.toFixed(1).padStart(9)} s\n`,
      );
    }
  }
}

/** Prints what `npm test` did not run, and the command that does. */
function printLeftOut() {
  const left = testFiles(root, 'slow');
  const counts = suites
    .map((suite) => ({ suite, files: left.filter((each) => each.suite === suite).length }))
    .filter(({ files }) => files > 0)
    .map(({ suite, files }) => `${files} of ${suite}`);
  process.stdout.write(
    `\nNot run: ${left.length} slow files (${counts.join(', ')}) and four fifths of the runs of each property.\n` +
      `\`npm run test:all\` runs the files, \`npm run properties\` all runs; \`npm test -- PATH\` what is below a path.\n\n`,
  );
}

/** Warns of files in the fast set that take a large part of their suite, slow files included. */
function warnOfSlowFiles() {
  const fast = readCosts('fast');
  const totals = bySuite([...fast, ...readCosts('slow')]);
  for (const each of fast) {
    const total = totals.find(({ suite }) => suite === each.suite)?.seconds ?? Infinity;
    const share = each.seconds / total;
    if (share <= maxShareOfSuite) continue;
    process.stdout.write(
      `warning: ${each.file} takes ${each.seconds.toFixed(1)} s of processor time in \`npm test\`, ` +
        `${(share * 100).toFixed(1)} % of its suite: make it faster or list it in scripts/suites.mjs\n`,
    );
  }
}

/** @param {import('./suites.mjs').TestSet} set */
function costsOf(set) {
  return join(root, '.cache', `test-costs-${set}.jsonl`);
}

/**
 * What test/support/file-cost.ts recorded in the last run of a set.
 *
 * @param {import('./suites.mjs').TestSet} set
 * @returns {{ file: string, suite: string, seconds: number }[]}
 */
function readCosts(set) {
  if (!existsSync(costsOf(set))) return [];
  const suiteOf = new Map(testFiles(root, set).map(({ file, suite }) => [file, suite]));
  return readFileSync(costsOf(set), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map(({ file, seconds }) => ({ file, seconds, suite: suiteOf.get(file) ?? 'units' }));
}

/** @param {{ suite: string, seconds: number }[]} measured */
function bySuite(measured) {
  return suites
    .map((suite) => measured.filter((each) => each.suite === suite))
    .filter((own) => own.length > 0)
    .map((own) => ({
      suite: own[0]?.suite ?? '',
      files: own.length,
      seconds: own.reduce((sum, { seconds }) => sum + seconds, 0),
    }));
}
