import { compileFilter, FilterError, type Filter } from '../../src/index.js';
import { levelOneClause } from './costly-forms.js';
import { costlyRow, costlySchema, type CostlyRow } from './costly-row.js';
import { createRandom, type Random } from './random.js';

/** A filter that is made to cost as much as the limits allow, and a row that is made for it. */
export interface CostlyTrial {
  readonly text: string;
  readonly filter: Filter | null;
  readonly row: Readonly<Record<string, unknown>>;
}

/** The trial of a seed. `filter` is null where the text exceeds a limit. */
export function costlyTrial(seed: number): CostlyTrial {
  const random = createRandom(seed);
  const made = costlyRow(random);
  const join = random.pick([' or ', ' and ']);
  const parts = clauses(random, made, join);
  // Half of a filter that exceeds a limit exceeds it less.
  while (parts.length > 1 && compiled(parts.join(join)) === null) parts.length = parts.length >> 1;
  const text = parts.join(join);
  return { text, filter: compiled(text), row: made.row };
}

function compiled(text: string): Filter | null {
  try {
    return compileFilter<unknown>(text, { schema: costlySchema });
  } catch (error) {
    if (error instanceof FilterError) return null;
    throw error;
  }
}

/** The result of a row, or the code of its error. */
export function outcomeOf({ filter, row }: CostlyTrial): string {
  try {
    return String(filter?.test(row));
  } catch (error) {
    if (error instanceof FilterError) return error.code;
    throw error;
  }
}

function clauses(random: Random, made: CostlyRow, join: string): string[] {
  const count = random.pick([1, 2, 5, 20, 100, 700, 1_400, 1_900]);
  const write = (): string => clause(random, made, join === ' or ');
  // Few different ones, many times over: each is looked for again.
  const different = Array.from({ length: random.pick([1, 3, 30]) }, write);
  const parts: string[] = [];
  let length = 0;
  for (let i = 0; i < count; i += 1) {
    const next = random.chance(0.5) ? random.pick(different) : write();
    length += next.length + join.length;
    if (length > 65_000) break;
    parts.push(next);
  }
  return parts.length === 0 ? ['a == 1'] : parts;
}

/** A clause that does not decide: what decides early costs little. */
function clause(random: Random, made: CostlyRow, isOr: boolean, depth = 0): string {
  const field = random.pick(['s', 's', 's2', 'o.s']);
  const not = isOr ? '' : 'not ';
  if (depth < 3 && random.chance(0.25)) {
    const inner = Array.from({ length: random.pick([1, 1, 2, 10]) }, () =>
      clause(random, made, isOr, depth + 1),
    );
    const kind = isOr ? 'any' : 'all';
    const list = random.pick(['l', 'l', 'm', 'many', 'set', 'map']);
    return `${kind} ${list} as k${depth}, x${depth} { ${inner.join(isOr ? ' or ' : ' and ')} }`;
  }
  const subject = depth > 0 && random.chance(0.6) ? `x${depth - 1}` : field;
  if (random.chance(0.5)) return levelOneClause({ random, made, subject, not });
  switch (random.below(6)) {
    case 0:
      return `${subject} ${not}contains ${quote(word(random))}`;
    case 1:
      return `${quote(word(random))} ${not}in ${random.pick(['l', 'many', 'm', 'set', 'map', 'sparse'])}`;
    case 2:
      return `${random.pick(['m', 'map', 'l'])} is ${isOr ? '' : 'not '}empty`;
    case 3:
      return `${subject} ${isOr ? '==' : '!='} ${quote(word(random))}`;
    default:
      return `${subject} ${not}matches ${quote(pattern(random))}`;
  }
}

function quote(text: string): string {
  return `\`${text}\``;
}

function word(random: Random): string {
  const length = random.pick([1, 2, 3, 5, 7, 31, 33, 249, 251, 600, 3_000, 20_000]);
  const odd = random.pick(['b', 'c', 'é', '-']);
  const at = random.below(length);
  const filler = random.pick(['a', 'ab', 'aab']);
  const text = filler.repeat(Math.ceil(length / filler.length)).slice(0, length);
  return text.slice(0, at) + odd + text.slice(at + 1);
}

const atoms = [
  'a',
  'b',
  '.',
  '[ab]',
  '[^c]',
  '(?:a|ab)',
  '(?:a|b|ab)',
  '\\w',
  '[a-z]',
  '\\pL',
  'é',
  '\\b',
  '(?i)A',
];
const repeats = ['', '', '*', '+', '?', '{3}', '{0,30}', '{10}', '{50}', '{200}'];

function pattern(random: Random): string {
  const part = (depth: number): string => {
    const body =
      depth < 2 && random.chance(0.3)
        ? `(?:${Array.from({ length: 1 + random.below(3) }, () => part(depth + 1)).join(random.pick(['', '|']))})`
        : random.pick(atoms);
    return body + (body === '\\b' || body.startsWith('(?i)') ? '' : random.pick(repeats));
  };
  const start = random.chance(0.2) ? '^' : '';
  const end = random.pick(['', 'c', '$', 'c$', 'X', '\\d']);
  const text = start + Array.from({ length: 1 + random.below(4) }, () => part(0)).join('') + end;
  return random.chance(0.1) ? '(?:.{0,30}a){30}c' : text;
}
