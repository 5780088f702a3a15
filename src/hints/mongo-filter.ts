import { escapePattern, quoteText, writeLiteral } from './loose-syntax.js';

// Filters as objects, the way document databases take them, read into the language.

/** The filter that an object says; null where it is no object or says what the language cannot. */
export function readMongoFilter(text: string): string | null {
  try {
    return conditions(JSON.parse(asJSON(text)))?.replace(/^\((.*)\)$/s, '$1') ?? null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

/** An object as programs write it: keys may stand without quotes, and texts in single ones. */
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

function conditions(value: unknown): string | null {
  if (!isObject(value)) return null;
  return joined(
    Object.entries(value).map(([key, inner]) => {
      const joiner = joiners.get(key);
      if (joiner !== undefined) return Array.isArray(inner) ? joined(inner.map(conditions), joiner) : null;
      const selector = selectorOf(key);
      return selector === null ? null : fieldConditions(selector, inner);
    }),
    'and',
  );
}

/** All parts joined, in parentheses where there are several; null where one of them cannot be said. */
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

function fieldConditions(selector: string, value: unknown): string | null {
  if (!isObject(value)) return comparison(selector, '$eq', value);
  return joined(
    Object.entries(value).map(([operator, operand]) => {
      if (operator === '$not') {
        const inner = fieldConditions(selector, operand);
        return inner === null ? null : `not (${inner})`;
      }
      return comparison(selector, operator, operand);
    }),
    'and',
  );
}

function comparison(selector: string, operator: string, operand: unknown): string | null {
  if (operator === '$exists') return `${selector} is ${operand === true ? 'not ' : ''}empty`;
  if (Array.isArray(operand)) {
    if (operator === '$in')
      return joined(
        operand.map((each) => comparison(selector, '$eq', each)),
        'or',
      );
    if (operator === '$nin')
      return joined(
        operand.map((each) => comparison(selector, '$ne', each)),
        'and',
      );
    return operator === '$all'
      ? joined(
          operand.map((each) => scalarTest(selector, 'contains', each)),
          'and',
        )
      : null;
  }
  if (operator === '$eq')
    return operand === null ? `${selector} is nil` : scalarTest(selector, '==', operand);
  if (operator === '$ne')
    return operand === null ? `${selector} is not nil` : scalarTest(selector, '!=', operand);
  if (operator === '$regex' && typeof operand === 'string')
    return `${selector} matches ${quoteText(operand)}`;
  if (operator === '$startsWith' && typeof operand === 'string')
    return `${selector} matches ${quoteText(`^${escapePattern(operand)}`)}`;
  return null;
}

function scalarTest(selector: string, operator: string, value: unknown): string | null {
  if (typeof value === 'string') return `${selector} ${operator} ${quoteText(value)}`;
  if (typeof value !== 'number' && typeof value !== 'boolean') return null;
  return `${selector} ${operator} ${typeof value === 'boolean' ? String(value) : writeLiteral(String(value))}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
