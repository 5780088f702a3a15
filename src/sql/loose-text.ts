import { formOf } from '../language/operators/operators.js';
import { literalsOf } from '../language/syntax/ast.js';
import { column, valueAccess, type Column, type ColumnCode, type ColumnOptions } from './column.js';
import { dialects } from './dialect.js';
import { and, parameter, sql } from './sql.js';
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
      test(node) {
        const { name } = formOf(node.operator).operator;
        const literals = literalsOf(node);
        const words = literals.map(({ text: word }) => word);
        const isPlain = literals.every(({ ignoreCase, wellFormed }) => wellFormed && !ignoreCase);
        if (
          type.kind !== 'string' ||
          !isPlain ||
          words.some((word) => hasHalfPair(word) || word.includes('\0'))
        )
          return null;
        const [word = ''] = words;
        const isOne = name === '==';
        if (!isOne && name !== 'in [..]') return null;
        const { yes, no } = textLeaf(dialects.postgres, text, name, literals);
        if (yes.sql === null || no.sql === null) return null;
        // The parameter has the type of the column, so that its equality and its index apply.
        const loose = isOne
          ? sql`${value} = ${parameter(word)}`
          : sql`${value} = ANY(${parameter(arrayText(words))})`;
        return { yes: and([loose, yes.sql]), no: no.sql };
      },
    });
  },
  read: (written) => written,
};
