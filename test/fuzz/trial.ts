import { isDeepStrictEqual } from 'node:util';
import { toTree } from '../../conformance/drivers/tamis-answers.mjs';
import {
  compileFilter,
  FilterCheckError,
  FilterError,
  FilterEvaluationError,
  FilterLimitError,
  FilterSyntaxError,
  parse,
  print,
  type Expression,
  type FilterOptions,
  type RelaxationKind,
  type Schema,
} from '../../src/index.js';
import type { Random } from './random.js';
import { randomRecord, randomValue } from './random-row.js';
import { deepText, joined, mutated, randomText, tokenSoup } from './random-text.js';

/** One input that went wrong. */
export interface Finding {
  readonly text: string;
  /** What is wrong, in words. */
  readonly problem: string;
}

/** What the trials start from. */
export interface FuzzSeeds {
  readonly expressions: readonly string[];
  /** Those that parse. */
  readonly sound: readonly string[];
  /** Frozen, so that writing to one is an error. */
  readonly rows: readonly unknown[];
  readonly schemas: readonly Schema[];
}

/** How far a trial got, for the statistics. */
export type Reached = 'refused by the parser' | 'refused by the check' | 'refused by the row' | 'evaluated';

export interface Trial {
  readonly reached: Reached;
  readonly finding: Finding | null;
}

/** Feeds one random text and one random row to the engine. */
export function runTrial(random: Random, seeds: FuzzSeeds): Trial {
  const text = randomExpression(random, seeds);
  const options = randomOptions(random, seeds.schemas);
  const row = random.chance(0.4)
    ? random.pick(seeds.rows)
    : random.chance(0.1)
      ? randomValue(random)
      : randomRecord(random);
  return tryOne(text, options, row);
}

function randomExpression(random: Random, { expressions, sound }: FuzzSeeds): string {
  const choice = random.below(100);
  if (choice < 40) return joined(random, sound);
  if (choice < 80) return mutated(random, expressions);
  if (choice < 90) return tokenSoup(random);
  if (choice < 95) return randomText(random);
  return deepText(random);
}

function randomOptions(random: Random, schemas: readonly Schema[]): FilterOptions {
  return {
    dialect: random.pick(['standard', 'go-bexpr']),
    check: random.chance(0.4),
    unresolved: random.pick(['error', 'absent']),
    ...(random.chance(0.3) ? { schema: random.pick(schemas) } : {}),
    ...(random.chance(0.2) ? { unknownValue: randomValue(random, 2) } : {}),
  };
}

/** The outcome must always be one of the engine's own results. */
export function tryOne(text: string, options: FilterOptions, row: unknown): Trial {
  const problems: string[] = [];
  const reached = reach(text, options, row, problems);
  const [problem] = problems;
  return { reached, finding: problem === undefined ? null : { text, problem } };
}

function reach(text: string, options: FilterOptions, row: unknown, problems: string[]): Reached {
  const { dialect = 'standard' } = options;
  try {
    const { ast, relaxations } = parse(text, { dialect });
    checkPrint(ast, problems);
    if (relaxations.some(({ kind }) => !otherKinds.includes(kind))) checkLevelZero(text, problems);
  } catch (error) {
    inspect('parse', error, text, [FilterSyntaxError, FilterLimitError], problems);
    return 'refused by the parser';
  }
  let filter;
  try {
    filter = compileFilter(text, options);
  } catch (error) {
    inspect('compileFilter', error, text, [FilterCheckError, FilterLimitError], problems);
    return 'refused by the check';
  }
  try {
    const result: unknown = filter.test(row);
    if (typeof result !== 'boolean') problems.push(`test gave ${String(result)}`);
    return 'evaluated';
  } catch (error) {
    inspect('test', error, text, [FilterEvaluationError, FilterLimitError], problems);
    return 'refused by the row';
  }
}

/** What is printed says the same again. Printing may write more than was read, and so exceed a limit. */
function checkPrint(ast: Expression, problems: string[]): void {
  const printed = print(ast);
  const again = parse(printed, { limits: { maxLength: Infinity, maxDepth: Infinity } }).ast;
  if (print(again) !== printed) problems.push(`printed as ${printed}, which prints as ${print(again)}`);
  if (!isDeepStrictEqual(toTree(again), toTree(ast))) problems.push(`printed as ${printed}, another tree`);
}

/** What is no form of level 1. */
const otherKinds: readonly RelaxationKind[] = [
  'missing-whitespace',
  'extra-whitespace',
  'bare-collection',
  'escaped-quote',
  'abandoned-reading',
  'quoted-pointer-value',
];

/** What level 1 alone reads is refused at level 0, and by go-bexpr, with a word on what to write instead. */
function checkLevelZero(text: string, problems: string[]): void {
  for (const options of [{ level: 0 }, { dialect: 'go-bexpr' }] as const) {
    try {
      parse(text, options);
      problems.push(`read with ${JSON.stringify(options)}, though it is of level 1`);
    } catch (error) {
      inspect('parse at level 0', error, text, [FilterSyntaxError, FilterLimitError], problems);
      if (error instanceof FilterSyntaxError && error.hint === null) problems.push('refused without a hint');
    }
  }
}

type ErrorClass = abstract new (...args: never[]) => FilterError;

/** An error must be of an expected class, point into the text, and be printable and serialisable. */
function inspect(
  position: string,
  error: unknown,
  text: string,
  expected: readonly ErrorClass[],
  problems: string[],
): void {
  if (!(error instanceof FilterError) || !expected.some((known) => error instanceof known)) {
    const rendered = error instanceof Error ? (error.stack ?? error.message) : String(error);
    problems.push(`${position} threw ${rendered}`);
    return;
  }
  const { start, end } = error.span;
  if (!(0 <= start && start <= end && end <= text.length))
    problems.push(`${position}: span ${start}-${end} of ${text.length}`);
  if (error.message === '' || /\n/.test(error.message) || /undefined|\[object/.test(error.message)) {
    problems.push(`${position}: message ${JSON.stringify(error.message)}`);
  }
  const drawn = error.toString();
  if (!drawn.includes('^')) problems.push(`${position}: no caret in ${drawn}`);
  if (JSON.stringify(error).length < 10) problems.push(`${position}: toJSON gave nothing`);
  for (const { span } of error.suggestions) {
    if (!(0 <= span.start && span.start <= span.end && span.end <= text.length))
      problems.push(`${position}: suggestion span`);
  }
}
