import { checkNames, describe } from '../language/diagnostics/options.js';
import { formOf } from '../language/operators/operators.js';
import { column, valueAccess, type Column, type ColumnCode, type ColumnOptions } from './column.js';
import { quoted } from './dialect.js';
import { testValues } from './pushdown.js';
import { never, parameter, raw, sql } from './sql.js';
import { arrayText } from './text-leaf.js';

export interface EnumOptions extends ColumnOptions {
  /** The name of the enum type, or the names of its schema and itself. */
  readonly type: string | readonly string[];
  /** All its labels, in any order: a label that is missing here matches only negated tests. `verifyMapping` compares them. */
  readonly values: readonly string[];
}

/** Creates a PostgreSQL enum column. Filters evaluate its labels as strings; the database only compares labels. */
export function enumeration(name: string, options: EnumOptions): Column {
  checkNames<EnumOptions>('enumeration', 'option', options, ['notNull', 'type', 'values']);
  const { type, values, ...others } = options;
  const names = typeof type === 'string' ? [type] : type;
  for (const [option, list] of Object.entries({ type: names, values })) {
    if (!Array.isArray(list) || list.length === 0 || list.some((each) => typeof each !== 'string'))
      throw new TypeError(
        `enumeration: ${option} must be ${option === 'type' ? 'a name or names' : 'the labels of the type'}, got ${describe(list)}`,
      );
  }
  return column('enumeration', 'enum', name, others, ['notNull'], code, {
    labels: { type: [...names], values: [...values] },
  });
}

const code: ColumnCode = {
  access(own, value, type) {
    const { type: names, values } = own.labels ?? { type: [], values: [] };
    const written = sql`${value}::text`;
    return valueAccess(own, value, type, {
      kind: 'text',
      text: {
        value: written,
        equal: written,
        order: sql`${written} COLLATE "C"`,
        mayContainNul: false,
        canStore: (text) => values.includes(text),
      },
      test(node, now) {
        const results = testValues(node, type, values, now);
        const isNegated = formOf(node.operator).negated;
        const found = values.filter((_, at) => results[at] !== isNegated);
        const present = sql`${value} IS NOT NULL`;
        if (found.length === 0) return { yes: never, no: present };
        if (found.length === values.length) return { yes: present, no: never };
        const given = sql`${parameter(arrayText(found))}::text[]::${raw(names.map(quoted).join('.'))}[]`;
        return { yes: sql`${value} = ANY(${given})`, no: sql`${value} <> ALL(${given})` };
      },
    });
  },
  read: (text) => text,
};
