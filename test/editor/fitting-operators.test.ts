import { describe, expect, it } from 'vitest';
import { fits, writtenOperators } from '../../src/tools/editor/fitting-operators.js';
import { check, parse, parseSchema } from '../../src/index.js';

const scalars = [
  ...['string', 'bool', 'int', 'uint', 'float32', 'float64', 'time', 'duration', 'ip', 'version'].map(
    (kind) => ({ kind }),
  ),
  { kind: 'time', unit: 'ms' },
  { kind: 'bytes', unit: 'MiB' },
];
const struct = { kind: 'struct', name: 'Row' };
const plain = [
  ...scalars,
  struct,
  { kind: 'map', of: { kind: 'string' } },
  { kind: 'map', of: { kind: 'int' }, keyNamed: 'Key' },
  ...[...scalars, struct, { kind: 'list', of: { kind: 'string' } }, { kind: 'any' }].map((of) => ({
    kind: 'list',
    of,
  })),
  { kind: 'array', of: { kind: 'string' }, len: 2 },
];
const types = plain.flatMap((type) => [type, { ...type, nullable: true }, { ...type, pointers: 2 }]);

/** Literals of which each kind takes one, so that only the kind can be wrong. */
const literals = ['1', 'true', '"2006-01-02T15:04:05Z"', 'x', '7d', '10.0.0.1', '1.2.3'];

describe('the operators that are offered', () => {
  it.each(types.map((type) => [JSON.stringify(type), type] as const))(
    'for %s are those that check takes',
    (_, type) => {
      const schema = parseSchema({ root: 'Row', structs: { Row: { fields: { A: type } } } });
      const field = schema.root.fields.get('A');
      if (field === undefined) throw new Error('no field');
      for (const { text, operator } of writtenOperators()) {
        const takes = literals.some((literal) => {
          const filter = text.startsWith('is ')
            ? `A ${text}`
            : `A ${text.replace('[..]', `[${literal}]`)} ${text.endsWith(']') ? '' : literal}`;
          return check(parse(filter), { schema }).length === 0;
        });
        expect([text, fits(operator, field.type)]).toEqual([text, takes]);
      }
    },
  );
});
