import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** A change of a source file: the text, which is in the file exactly once, and its replacement. */
export type Change = readonly [file: string, find: string, replace: string];

/**
 * Applies each change to a copy of the sources, one at a time, and runs its tests, the first file first. Sets the exit code to 1 if
 * the tests pass with a change, or if its text is not in the file exactly once.
 */
export function runChanges(
  changes: readonly { readonly change: Change; readonly tests: readonly string[] }[],
): void {
  const { values: given } = parseArgs({ options: { only: { type: 'string' } } });
  const folder = mkdtempSync(join(tmpdir(), 'tamis-changes-'));
  let survivors = 0;
  try {
    for (const name of [
      'src',
      'test',
      'vitest.config.ts',
      'package.json',
      'tsconfig.base.json',
      'tsconfig.json',
    ])
      cpSync(name, join(folder, name), { recursive: true });
    for (const name of ['node_modules', 'extra', 'scripts', 'dist'])
      symlinkSync(join(process.cwd(), name), join(folder, name));
    for (const test of new Set(changes.flatMap(({ tests }) => tests)))
      if (!passes(test, folder)) throw new Error(`${test} fails without a change`);
    for (const [at, { change, tests }] of changes.entries()) {
      if (given.only !== undefined && given.only !== String(at + 1)) continue;
      const outcome = put(change, tests, folder);
      if (outcome !== 'detected') survivors += 1;
      process.stdout.write(`${at + 1}: ${outcome}: ${change[0]}: ${change[1]}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(
    survivors === 0 ? 'all changes are detected\n' : `${survivors} changes are not detected\n`,
  );
  process.exitCode = survivors === 0 ? 0 : 1;
}

/** Runs test files with a change, until one fails. */
function put(
  [file, find, replace]: Change,
  tests: readonly string[],
  folder: string,
): 'detected' | 'not detected' | 'not applicable' {
  const path = join(folder, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(find).length !== 2) return 'not applicable';
  writeFileSync(
    path,
    source.replace(find, () => replace),
  );
  const isUndetected = tests.every((test) => passes(test, folder));
  writeFileSync(path, source);
  return isUndetected ? 'not detected' : 'detected';
}

function passes(test: string, folder: string): boolean {
  const run = spawnSync('npx', ['vitest', 'run', test, '--bail', '1'], { cwd: folder, stdio: 'ignore' });
  return run.status === 0;
}
