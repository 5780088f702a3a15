import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readSuite, type Report } from '../../conformance/src/index.mjs';
import { reportOf } from './engine.js';
import { readVectors, suiteOf, VectorFileError } from './vector.js';

const help = `Runs the conformance suite on this engine, in this process.

usage: npm run conformance -- [--vectors DIR] [--only NAME]...

  --vectors DIR  instead of the suite a folder with parse.jsonl, eval-untyped.jsonl, eval-typed.jsonl, datums.jsonl and
                 types.json, relative to where you are
  --only NAME    run only the cases with this id, of this family or of this sentence; may be repeated
  --help         print this text

Prints a line for each disagreement, then "N passed, N failed, N skipped".
Exit code: 0 if all cases pass, 1 if a case fails, 2 if a folder or an option is invalid.
Other implementations, by a command of their own: conformance/README.md.
`;

/** What the program writes to standard output and standard error, and its exit code. */
export interface Outcome {
  readonly output: string;
  readonly errors: string;
  readonly exitCode: number;
}

/** The whole program. A relative DIR starts from the first of `places` that has it. */
export function runConformance(args: readonly string[], positions: readonly string[]): Outcome {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        vectors: { type: 'string' },
        only: { type: 'string', multiple: true },
        help: { type: 'boolean' },
      },
    });
    if (values.help === true) return { output: help, errors: '', exitCode: 0 };
    const vectors = values.vectors === undefined ? null : readVectors(locate(values.vectors, positions));
    const suite = vectors === null ? readSuite() : suiteOf(vectors);
    const cases = suite.cases.filter(
      ({ id, family, sentences }) =>
        values.only === undefined ||
        values.only.some((name) => name === id || name === family || sentences.includes(name)),
    );
    if (cases.length === 0) {
      const expected = values.only?.join(', ') ?? 'any case';
      return { output: '', errors: `conformance: there is no case named ${expected}\n`, exitCode: 2 };
    }
    const errors = (vectors?.notes ?? []).map((note) => `note: ${note}\n`).join('');
    return { ...render(reportOf({ ...suite, cases })), errors };
  } catch (error) {
    const isOurs = error instanceof VectorFileError || isArgumentError(error);
    if (!isOurs) throw error;
    return { output: '', errors: `conformance: ${error.message}\n`, exitCode: 2 };
  }
}

function locate(folder: string, positions: readonly string[]): string {
  const candidates = positions.map((position) => resolve(position, folder));
  return candidates.find((candidate) => existsSync(candidate)) ?? candidates[0] ?? folder;
}

function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

/** A failure on one line. */
export function printFailure({ testCase: requests, expected, got }: Report['failures'][number]): string {
  const { id, family, expression, row } = requests;
  const on = row === undefined ? '' : ` on ${row.slice(0, 200)}`;
  return `${id} (${family}) ${JSON.stringify(expression)}${on}: expected ${expected}, got ${got}`;
}

function render({ failures, skips, counts }: Report): Pick<Outcome, 'output' | 'exitCode'> {
  const lines = [
    ...failures.map(printFailure),
    ...[...skips].map(([reason, count]) => `skipped ${count}: ${reason}`),
    `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`,
  ];
  return { output: `${lines.join('\n')}\n`, exitCode: failures.length > 0 ? 1 : 0 };
}
