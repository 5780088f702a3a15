import type { Level } from '../syntax/dialect.js';
import { escapePattern, quoteText, writeLiteral } from './loose-syntax.js';

// Filters written as objects, as in document databases, converted to the language.

/** Returns the filter that an object expresses; null if it is not an object or cannot be expressed. */
export function readMongoFilter(text: string, level: Level): string | null {
  try {
    return conditions(JSON.parse(asJSON(text)), level)?.replace(/^\((.*)\)$/s, '$1') ?? null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Converts a relaxed object literal to JSON: keys may be unquoted, strings may be in single quotes. */
function asJSON(text: string): string {
  return text
    .replace(/'([^'"\\\n]*)'/g, '"$1"')
    .replace(/([{,]\s*)([$a-zA-Z_][\w$.]*)(\s*:)/g, '$1"$2"$3')
    .replace(/,(\s*[}\]])/g, '$1');
}

const joiners: ReadonlyMap<string, string> = new Map([
  ['$and', 'and'],
  ['$or', 'or'],
]);

function conditions(value: unknown, level: Level): string | null {
  if (!isObject(value)) return null;
  return joined(
    Object.entries(value).map(([key, inner]) => {
      const joiner = joiners.get(key);
      if (joiner !== undefined)
        return Array.isArray(inner)
          ? joined(
              inner.map((each) => conditions(each, level)),
              joiner,
            )
          : null;
      const selector = selectorOf(key);
      return selector === null ? null : fieldConditions(selector, inner, level);
    }),
    'and',
  );
}

/** Joins the parts, in parentheses if there are several. Returns null if any part is null. */
function joined(parts: readonly (string | null)[], joiner: string): string | null {
  const said = parts.filter((part) => part !== null);
  if (said.length === 0 || said.length < parts.length) return null;
  return said.length === 1 ? (said[0] ?? null) : `(${said.join(` ${joiner} `)})`;
}

function selectorOf(key: string): string | null {
  const [first = '', ...rest] = key.split('.');
  if (!/^[a-zA-Z][\w]*$/.test(first)) return null;
  return (
    first +
    rest.map((part) => (/^(?:[a-zA-Z]\w*|[0-9]+)$/.test(part) ? `.${part}` : `[${quoteText(part)}]`)).join('')
  );
}

function fieldConditions(selector: string, value: unknown, level: Level): string | null {
  if (!isObject(value)) return comparison(selector, '$eq', value, level);
  return joined(
    Object.entries(value).map(([operator, operand]) => {
      if (operator === '$not') {
        const inner = fieldConditions(selector, operand, level);
        return inner === null ? null : `not (${inner})`;
      }
      return comparison(selector, operator, operand, level);
    }),
    'and',
  );
}

const orderings: ReadonlyMap<string, string> = new Map([
  ['$gt', '>'],
  ['$gte', '>='],
  ['$lt', '<'],
  ['$lte', '<='],
]);

/** Operators that take a list: the operator for each item, and the word that joins the tests. */
const listOperators: ReadonlyMap<string, readonly [operator: string, joiner: string]> = new Map([
  ['$in', ['==', 'or']],
  ['$nin', ['!=', 'and']],
  ['$all', ['contains', 'and']],
]);

function comparison(selector: string, operator: string, operand: unknown, level: Level): string | null {
  if (operator === '$exists')
    return `${selector} is ${operand === true ? 'not ' : ''}${level > 0 ? 'nil' : 'empty'}`;
  if (Array.isArray(operand)) {
    const [test = '', joiner = ''] = listOperators.get(operator) ?? [];
    const parts = operand.map((each) => scalarTest(selector, test, each));
    return test === '' ? null : joined(parts, joiner);
  }
  const sign = orderings.get(operator);
  if (sign !== undefined) return level > 0 ? scalarTest(selector, sign, operand) : null;
  if (operator === '$eq' || operator === '$ne')
    return scalarTest(selector, operator === '$eq' ? '==' : '!=', operand);
  if (typeof operand !== 'string') return null;
  if (operator === '$regex') return `${selector} matches ${quoteText(operand)}`;
  return operator === '$startsWith' ? `${selector} matches ${quoteText(`^${escapePattern(operand)}`)}` : null;
}

function scalarTest(selector: string, operator: string, value: unknown): string | null {
  if (value === null && /[<>]/.test(operator)) return null;
  if (value === null && operator !== 'contains')
    return `${selector} is ${operator === '==' ? '' : 'not '}nil`;
  if (typeof value === 'string') return `${selector} ${operator} ${quoteText(value)}`;
  if (typeof value !== 'number' && typeof value !== 'boolean') return null;
  return `${selector} ${operator} ${typeof value === 'boolean' ? String(value) : writeLiteral(String(value))}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
