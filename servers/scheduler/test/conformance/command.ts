import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CaseFileError, readCaseFile, type Case, type CaseFile } from './case-file.js';
import { runCase } from './run-case.js';

export const help = `npm run cases -w servers/scheduler -- --file FILE [--only ID]...

Runs a file of cases against the scheduler. Each case gets a fresh server on a free port of the loopback address,
filled with the fixture that the case names. Every difference is printed with the case, the request, what was
expected and what came; the last line counts. What needs a part that the server does not have counts as failed.

  --file FILE   the cases, in YAML
  --only ID     run only this case; may be repeated, the others count as skipped
  --families    count by the first word of the IDs too
  --help

Exit code: 0 when nothing failed, 1 when something did, 2 for a file or a command line that cannot be followed.
`;

/** Where the command writes. */
export interface Output {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

const options = {
  file: { type: 'string' },
  only: { type: 'string', multiple: true },
  families: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Runs the command; resolves with the exit code. `folder` is where paths begin. */
export async function runCases(args: readonly string[], folder: string, output: Output): Promise<number> {
  let file: CaseFile;
  let values: ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
  try {
    ({ values } = parseArgs({ args: [...args], options }));
    if (values.help === true) {
      output.print(help);
      return 0;
    }
    if (values.file === undefined) throw new CaseFileError('--file FILE is missing, see --help');
    file = readCaseFile(readFileSync(resolve(folder, values.file), 'utf8'));
    requireCases(file, values.only ?? []);
    const failed = await runAll(file, values.only ?? null, values.families === true, output);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    output.complain(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

function requireCases({ cases }: CaseFile, only: readonly string[]): void {
  const missing = only.find((id) => !cases.some((candidate) => candidate.id === id));
  if (missing !== undefined) throw new CaseFileError(`there is no case ${missing}`);
}

interface Tally {
  passed: number;
  failed: number;
}

async function runAll(
  { fixtures, cases }: CaseFile,
  only: readonly string[] | null,
  byFamily: boolean,
  { print }: Output,
): Promise<number> {
  const chosen = cases.filter(({ id }) => only === null || only.includes(id));
  const families = new Map<string, Tally>();
  let failed = 0;
  for (const given of chosen) {
    const findings = await runCase(fixtures, given);
    count(families, given, findings.length === 0);
    for (const line of findings) print(`FAILED ${line}\n`);
    if (findings.length > 0) failed += 1;
  }
  if (byFamily) {
    for (const [name, tally] of families) print(`${name}: ${tally.passed} passed, ${tally.failed} failed\n`);
  }
  const skipped = cases.length - chosen.length;
  print(`${chosen.length - failed} passed, ${failed} failed, ${skipped} skipped\n`);
  return failed;
}

function count(families: Map<string, Tally>, { id }: Case, hasPassed: boolean): void {
  const name = id.replace(/-.*/, '');
  const tally = families.get(name) ?? { passed: 0, failed: 0 };
  families.set(name, tally);
  if (hasPassed) tally.passed += 1;
  else tally.failed += 1;
}
