import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sections, showDisagreement, tally, type Tally } from './tally.js';
import { readVectors, VectorFileError } from './vector.js';

const help = `Compares this engine with go-bexpr on recorded vectors.

usage: npm run conformance -- [--vectors DIR] [--only NAME]...

  --vectors DIR  a folder with parse.jsonl, eval-untyped.jsonl, eval-typed.jsonl, datums.jsonl and types.json,
                 relative to where you are (default: the vectors of this repository)
  --only NAME    run only the vectors with this id or of this family; may be repeated
  --help         print this text

Prints a line for each disagreement, then "N passed, N failed, N skipped".
Exits with 0 when all agree, 1 when some do not, 2 for a folder or an option that is no good.
`;

/** What the program writes to standard output and standard error, and its exit code. */
export interface Outcome {
  readonly output: string;
  readonly errors: string;
  readonly exitCode: number;
}

/** The whole program. A relative DIR starts from the first of `places` that has it. */
export function runConformance(args: readonly string[], places: readonly string[]): Outcome {
  const own = join(dirname(fileURLToPath(import.meta.url)), 'vectors');
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
    const vectors = readVectors(values.vectors === undefined ? own : locate(values.vectors, places), own);
    const tallies = sections.map((section) => tally(vectors, section, values.only));
    if (tallies.every(isEmpty)) {
      const wanted = values.only?.join(', ') ?? 'any vector';
      return { output: '', errors: `conformance: the folder has no vector named ${wanted}\n`, exitCode: 2 };
    }
    const errors = vectors.notes.map((note) => `note: ${note}\n`).join('');
    return { ...report(tallies), errors };
  } catch (error) {
    const isOurs = error instanceof VectorFileError || isArgumentError(error);
    if (!isOurs) throw error;
    return { output: '', errors: `conformance: ${error.message}\n`, exitCode: 2 };
  }
}

function locate(folder: string, places: readonly string[]): string {
  const candidates = places.map((place) => resolve(place, folder));
  return candidates.find((candidate) => existsSync(candidate)) ?? candidates[0] ?? folder;
}

function isArgumentError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

function isEmpty({ passed, skipped, disagreements }: Tally): boolean {
  return passed + skipped.size + disagreements.length === 0;
}

function report(tallies: readonly Tally[]): Pick<Outcome, 'output' | 'exitCode'> {
  const disagreements = tallies.flatMap((each) => each.disagreements);
  const passed = tallies.reduce((sum, each) => sum + each.passed, 0);
  const skips = tallies.flatMap((each) => [...each.skipped]);
  const skipped = skips.reduce((sum, [, count]) => sum + count, 0);
  const lines = [
    ...disagreements.map(showDisagreement),
    ...skips.map(([reason, count]) => `skipped ${count}: ${reason}`),
    `${passed} passed, ${disagreements.length} failed, ${skipped} skipped`,
  ];
  return { output: `${lines.join('\n')}\n`, exitCode: disagreements.length > 0 ? 1 : 0 };
}
