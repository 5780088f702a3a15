// npm test: sets the checkout up, then runs every test and the conformance vectors.
// npm test -- test/syntax: sets it up and hands the arguments to vitest.
//
// A few files that fail run once more, by themselves. What passes then is told as unsteady and does not fail the run: a
// machine that was busy says nothing about the change. A fault fails twice.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { runNode } from './command.mjs';
import './end-with-npm.mjs';
import { prepare, root } from './prepare.mjs';

/** More files than these did not fail by chance. */
const mostUnsteady = 3;

const args = process.argv.slice(2);
await prepare();
const whole = args.length === 0;
let code = whole ? await runAll() : await runVitest(args);
if (whole) {
  // Runs even when a test failed: its counts are the last line of `npm test`.
  const conformance = await runNode(['--import', 'tsx', 'test/conformance/run.ts'], {
    cwd: root,
    show: true,
  });
  code ||= conformance.code;
}
process.exitCode = code;

async function runAll() {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-tests-'));
  try {
    const list = join(folder, 'failed.json');
    const first = await runVitest(
      ['--reporter=default', `--reporter=${join(root, 'scripts/failed-files.mjs')}`],
      { FAILED_FILES: list },
    );
    const failed = first === 0 ? [] : read(list);
    if (failed.length === 0 || failed.length > mostUnsteady) return first;
    process.stdout.write(`\nonce more, by themselves: ${failed.join(', ')}\n`);
    const second = await runVitest(['--no-file-parallelism', ...failed]);
    if (second === 0) process.stdout.write(`\nunsteady, to be mended: ${failed.join(', ')}\n\n`);
    return second;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly string[]} more
 * @param {Record<string, string>} [env]
 */
async function runVitest(more, env = {}) {
  const { code } = await runNode([join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...more], {
    cwd: root,
    show: true,
    env,
  });
  return code;
}

/**
 * @param {string} list
 * @returns {string[]} paths from the root; none where vitest ended before it could write them
 */
function read(list) {
  try {
    return JSON.parse(readFileSync(list, 'utf8')).map((/** @type {string} */ path) => relative(root, path));
  } catch {
    return [];
  }
}
