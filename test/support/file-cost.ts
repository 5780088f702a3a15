import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';

/**
 * Records the processor time of each test file: a JSON line `{ file, seconds }` appended to the file named by TEST_COSTS.
 * Includes the worker's imports and the child processes that have ended. scripts/test.mjs reads it; no test does.
 */
const report = process.env.TEST_COSTS;
if (report !== undefined) {
  const before = processorSeconds();
  // Hooks run in reverse order: registered first, this one runs after all others of the file.
  afterAll(() => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const file = relative(root, expect.getState().testPath ?? '');
    appendFileSync(report, `${JSON.stringify({ file, seconds: processorSeconds() - before })}\n`);
  });
}

/** Processor time of this process and of its children that have ended, in seconds; without children outside Linux. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childSeconds();
}

function childSeconds(): number {
  if (process.platform !== 'linux') return 0;
  // proc(5): fields 16 and 17 are cutime and cstime; the name in field 2 may contain blanks.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const ticksPerSecond = 100;
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}
