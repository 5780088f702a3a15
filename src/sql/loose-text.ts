import { formOf } from '../language/operators/operators.js';
import { literalsOf } from '../language/syntax/ast.js';
import { column, valueAccess, type Column, type ColumnCode, type ColumnOptions } from './column.js';
import type { Type } from '../language/schema/type.js';
import type { MatchExpression } from '../language/syntax/ast.js';
import type { TestConditions, TextValue } from './column-access.js';
import { dialects, type SqlDialect } from './dialect.js';
import { and, parameter, sql, type Sql } from './sql.js';
import { arrayText, hasHalfPair, textLeaf } from './text-leaf.js';

/**
 * Creates a PostgreSQL string column whose own equality also holds for other strings: `citext`, `char(n)`, and strings with a
 * nondeterministic collation. Filters compare its strings exactly, without the padding of `char(n)`; `==` and `in` can use its
 * indexes.
 */
export function looseText(name: string, options: ColumnOptions = {}): Column {
  return column('looseText', 'looseText', name, options, ['notNull'], code);
}

const code: ColumnCode = {
  access(own, value, type) {
    const written = sql`${value}::text COLLATE "C"`;
    const text = { value: written, equal: written, order: written, mayContainNul: false };
    return valueAccess(own, value, type, {
      kind: 'text',
      text: { ...text, canStore: () => false },
      test: (node) =>
        // The parameter has the type of the column, so that its equality and its index apply.
        looseTest(dialects.postgres, text, type, node, (words) =>
          words.length === 1
            ? sql`${value} = ${parameter(words[0] ?? '')}`
            : sql`${value} = ANY(${parameter(arrayText(words))})`,
        ),
    });
  },
  read: (written) => written,
};

/**
 * Returns the conditions of `==` and `in` for a column whose own equality, `equalsLoosely`, also holds for other strings; null for other
 * tests.
 */
export function looseTest(
  dialect: SqlDialect,
  text: TextValue,
  type: Type,
  node: MatchExpression,
  equalsLoosely: (words: readonly string[]) => Sql,
): TestConditions | null {
  const { name } = formOf(node.operator).operator;
  const literals = literalsOf(node);
  const words = literals.map(({ text: word }) => word);
  const isPlain = literals.every(({ ignoreCase, wellFormed }) => wellFormed && !ignoreCase);
  const canBeSent = words.every((word) => !hasHalfPair(word) && (dialect.takesNul || !word.includes('\0')));
  if (type.kind !== 'string' || !isPlain || !canBeSent || (name !== '==' && name !== 'in [..]')) return null;
  const { yes, no } = textLeaf(dialect, text, name, literals);
  if (yes.sql === null || no.sql === null) return null;
  return { yes: and([equalsLoosely(words), yes.sql]), no: no.sql };
}
