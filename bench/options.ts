import { parseArgs } from 'node:util';
import { filterCases } from './cases/cases.js';
import { competitorNames } from './competitors/competitors.js';
import { defaultRequests } from './harness/filtering.js';
import { variants } from './harness/variant.js';
import { scenarios } from './scenarios/scenarios.js';

/** The options of the command line. */
export interface BenchOptions {
  readonly mode: 'all' | 'quick' | 'compare' | 'help' | 'forms';
  readonly cases: readonly string[];
  readonly scenarios: readonly string[];
  readonly variants: readonly string[];
  readonly competitors: readonly string[];
  readonly rounds: number;
  /** How many requests for each of forty other filters come before the measurement. */
  readonly requests: number;
  /** What the names in rows and filters are drawn from. */
  readonly seed: number;
  /** JSON on standard output instead of tables. */
  readonly json: boolean;
  /** The two revisions to compare; null means the working tree. */
  readonly revisions: readonly [base: string, head: string | null];
}

/** A command line that requests something unknown. The message lists the valid choices. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export const help = `Usage: npm run bench -- [options]

Measures the engine as it is built in dist/ against loops written by hand and against other libraries.

  --only LIST         cases (${filterCases[0]?.id} to ${filterCases.at(-1)?.id}) and scenarios, for example --only E4,parse
  --variant LIST      the data: ${variants.map(({ name }) => name).join(', ')}
  --competitors LIST  competitors in addition to the hand-written loops (see below)
  --rounds N          measurements of each contender, default 25; slow ones get fewer
  --seed N            draws the names of fields, the keys and the literals from N, as an earlier run did
  --requests N        server mode: requests for each of forty other filters that come before, default ${defaultRequests}
  --json              prints [{case, variant, competitor, ns, ratio, seed}] instead of tables: nanoseconds for each
                      row, and the ratio to what was written by hand; no scenarios
  --quick             a look in less than a minute: the cases on 2,000 rows, with benny, against three libraries
  --compare REV       compares revision REV with the files as they are, or two revisions A..B; builds both, and ends
                      with exit code 1 when a case got slower by more than the noise
  --forms             prints how each competitor writes each case
  --help              prints this

Competitors: ${competitorNames.join(', ')}

Scenarios:
${scenarios.map(({ name, about }) => `  ${name.padEnd(10)}${about}`).join('\n')}
`;

const flags = {
  only: { type: 'string' },
  variant: { type: 'string' },
  competitors: { type: 'string' },
  rounds: { type: 'string' },
  requests: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'boolean' },
  quick: { type: 'boolean' },
  compare: { type: 'string' },
  forms: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** @throws UsageError for flags or names that do not exist. */
export function readOptions(args: readonly string[]): BenchOptions {
  const values = readFlags(args);
  const caseIds = filterCases.map(({ id }) => id);
  const scenarioNames = scenarios.map(({ name }) => name);
  const only = readNames('--only', values.only, [...caseIds, ...scenarioNames]);
  const variantNames = variants.map(({ name }) => name);
  // A selection of the data or the expressions excludes the rest.
  const listsScenarios = only !== null || (values.variant === undefined && values.json !== true);
  return {
    mode: readMode(values),
    cases: caseIds.filter((id) => only === null || only.includes(id)),
    scenarios: scenarioNames.filter((name) => listsScenarios && (only === null || only.includes(name))),
    variants: readNames('--variant', values.variant, variantNames) ?? variantNames,
    competitors: readNames('--competitors', values.competitors, competitorNames) ?? competitorNames,
    // With fewer rounds there is no spread at all, and with three little to speak of.
    rounds: readCount('--rounds', values.rounds, 25, 3),
    seed: readCount('--seed', values.seed, 0, 0),
    requests: readCount('--requests', values.requests, defaultRequests, 0),
    json: values.json === true,
    revisions: readRevisions(values.compare),
  };
}

type Values = {
  readonly [Flag in keyof typeof flags]?: (typeof flags)[Flag]['type'] extends 'string' ? string : boolean;
};

function readFlags(args: readonly string[]): Values {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readMode({ help: isHelp, forms, quick, compare }: Values): BenchOptions['mode'] {
  if (isHelp === true) return 'help';
  if (quick === true && compare !== undefined)
    throw new UsageError('--quick and --compare exclude each other');
  if (forms === true) return 'forms';
  if (quick === true) return 'quick';
  return compare === undefined ? 'all' : 'compare';
}

function readNames(flag: string, text: string | undefined, known: readonly string[]): string[] | null {
  if (text === undefined) return null;
  const requested = text.split(',').map((name) => name.trim());
  const unknown = requested.filter((name) => !known.includes(name));
  if (unknown.length === 0) return known.filter((name) => requested.includes(name));
  throw new UsageError(`${flag}: there is no ${unknown.join(', ')}; there is ${known.join(', ')}`);
}

function readCount(flag: string, text: string | undefined, defaults: number, min: number): number {
  if (text === undefined) return defaults;
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= min) return count;
  throw new UsageError(`${flag} must be a whole number of at least ${min}, not ${text}`);
}

function readRevisions(text: string | undefined): readonly [string, string | null] {
  const [base = '', head] = (text ?? '').split('..');
  if (text !== undefined && base === '') throw new UsageError('--compare needs a revision, such as HEAD~1');
  return [base, head === undefined || head === '' ? null : head];
}
