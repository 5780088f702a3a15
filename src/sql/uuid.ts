import { formOf } from '../language/operators/operators.js';
import { literalsOf, type Value } from '../language/syntax/ast.js';
import type { TextValue } from './column-access.js';
import { column, valueAccess, type Column, type ColumnCode, type ColumnOptions } from './column.js';
import { never, parameter, sql, type Sql } from './sql.js';
import { arrayText, textAfterAll } from './text-leaf.js';

const canonical = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const digits = '0123456789abcdef';
const smallest = '00000000-0000-0000-0000-000000000000';

/** Creates a PostgreSQL `uuid` column. In filters and rows its values are strings of the canonical form, in lower case. */
export function uuid(name: string, options: ColumnOptions = {}): Column {
  return column('uuid', 'uuid', name, options, ['notNull'], code);
}

/** Returns the first canonical string that is not before a string; null if all are before it. */
export function firstUuidFrom(text: string): string | null {
  let at = 0;
  while (at < smallest.length && at < text.length && isAllowed(text.charAt(at), at)) at += 1;
  const matched = text.slice(0, at);
  const rest = smallest.slice(at);
  const next = text.charAt(at);
  if (next === '') return matched + rest;
  if (at < smallest.length && next < smallest.charAt(at)) return matched + rest;
  const larger = smallest.charAt(at) === '0' ? [...digits].find((digit) => digit > next) : undefined;
  return larger === undefined ? uuidAfter(matched) : matched + larger + smallest.slice(at + 1);
}

function isAllowed(character: string, at: number): boolean {
  return smallest.charAt(at) === '-' ? character === '-' : digits.includes(character);
}

/** Returns the first canonical string after all that begin with a canonical prefix; null if none exists. */
function uuidAfter(prefix: string): string | null {
  const shorter = prefix.replace(/[f-]+$/, '');
  if (shorter === '') return null;
  const larger = digits.charAt(digits.indexOf(shorter.slice(-1)) + 1);
  return shorter.slice(0, -1) + larger + smallest.slice(shorter.length);
}

const code: ColumnCode = {
  access(own, value, type) {
    const written = sql`${value}::text`;
    const from = (text: string): Sql | null => {
      const first = firstUuidFrom(text);
      return first === null ? null : uuidOf(first);
    };
    const text: TextValue = {
      value: written,
      equal: written,
      order: sql`${written} COLLATE "C"`,
      mayContainNul: false,
      canStore: (word) => canonical.test(word),
      sorted: { value, from },
    };
    return valueAccess(own, value, type, {
      kind: 'text',
      text,
      test(node) {
        const [yes, no] = testOf(value, formOf(node.operator).operator.name, literalsOf(node)) ?? [];
        return yes === undefined || no === undefined ? null : { yes, no };
      },
    });
  },
  read: (text) => text,
};

function uuidOf(text: string): Sql {
  return sql`${parameter(text)}::uuid`;
}

/** Returns the conditions of a test that compares values of the type; null for other tests. */
function testOf(value: Sql, name: string, literals: readonly Value[]): readonly [yes: Sql, no: Sql] | null {
  const present = sql`${value} IS NOT NULL`;
  if (literals.some(({ ignoreCase, wellFormed }) => ignoreCase || !wellFormed)) return null;
  const words = literals.map(({ text }) => text);
  const [word] = words;
  if (word === undefined) return null;
  if (name === '==' || name === 'in [..]') {
    const known = words.filter((each) => canonical.test(each));
    const [first] = known;
    if (first === undefined) return [never, present];
    if (known.length === 1) return [sql`${value} = ${uuidOf(first)}`, sql`${value} <> ${uuidOf(first)}`];
    const given = sql`${parameter(arrayText(known))}::uuid[]`;
    return [sql`${value} = ANY(${given})`, sql`${value} <> ALL(${given})`];
  }
  const before = (text: string, isInclusive = false): readonly [yes: Sql, no: Sql] => {
    const first = firstUuidFrom(text);
    if (first === null) return [present, never];
    return isInclusive && first === text
      ? [sql`${value} <= ${uuidOf(first)}`, sql`${value} > ${uuidOf(first)}`]
      : [sql`${value} < ${uuidOf(first)}`, sql`${value} >= ${uuidOf(first)}`];
  };
  switch (name) {
    case '<':
    case '>=':
    case '<=':
    case '>': {
      const [below, above] = before(word, name === '<=' || name === '>');
      return name.startsWith('<') ? [below, above] : [above, below];
    }
    case 'starts with': {
      const after = textAfterAll(word);
      const [below, from] = before(word);
      const [to, above] = after === null ? [present, never] : before(after);
      return [sql`(${from} AND ${to})`, sql`(${below} OR ${above})`];
    }
    default:
      return null;
  }
}
