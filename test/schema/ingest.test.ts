import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter, createRowNormalizer, defineSchema, t } from '../../src/index.js';

const schema = defineSchema({
  ID: t.string,
  Priority: t.int,
  Tags: t.list(t.string),
  Meta: t.map(t.string),
  Groups: t.list(t.struct({ Name: t.string, Count: t.int })),
  Periodic: t.nullable(t.struct({ Enabled: t.bool })),
  Secret: t.hidden(t.string),
});

describe('createIngest', () => {
  const ingest = createRowNormalizer(schema);

  it('gives rows the declared fields in their order, and nothing else', () => {
    const row = ingest({
      Extra: 1,
      Groups: [{ Count: 2, Name: 'web' }, {}],
      ID: 'a',
      Secret: 's',
      Meta: { k: 'v' },
    });
    expect(JSON.stringify(row)).toBe(
      '{"ID":"a","Priority":null,"Tags":null,"Meta":{"k":"v"},' +
        '"Groups":[{"Name":"web","Count":2},{"Name":null,"Count":null}],"Periodic":null,"Secret":"s"}',
    );
  });

  it('does not change what it is given, and takes own properties only', () => {
    const given = Object.freeze({ Tags: Object.freeze(['a']) });
    expect(ingest(given).Tags).toEqual(['a']);
    expect(createRowNormalizer(defineSchema({ toString: t.string }))({})).toEqual({ toString: null });
  });

  it('keeps a field that is named __proto__', () => {
    const odd = createRowNormalizer(
      defineSchema(JSON.parse('{"__proto__":{"kind":"string","nullDepth":0}}') as object as never),
    );
    const row = odd(JSON.parse('{"__proto__":"x"}') as object);
    expect(Object.getOwnPropertyDescriptor(row, '__proto__')?.value).toBe('x');
  });

  it('changes no result', () => {
    const rows = fc.record(
      {
        ID: fc.constantFrom('a', '', 'b'),
        Priority: fc.constantFrom(0, 5, 5n),
        Tags: fc.array(fc.constantFrom('x', 'y')),
        Meta: fc.dictionary(fc.constantFrom('k', 'l'), fc.constantFrom('v', '')),
        Groups: fc.array(
          fc.record({ Name: fc.constantFrom('web', ''), Count: fc.nat(2) }, { requiredKeys: [] }),
        ),
        Periodic: fc.option(fc.record({ Enabled: fc.boolean() }, { requiredKeys: [] })),
      },
      { requiredKeys: [] },
    );
    const filters = [
      'ID == a or Priority == 5',
      'x in Tags and Meta.k is empty',
      'any Groups as g { g.Name == "" and g.Count == 0 }',
      'Periodic is nil or Periodic.Enabled == false',
      'Tags is nil or Meta.k != v',
    ].map((text) => compileFilter<object>(text, { schema }));
    fc.assert(
      fc.property(rows, (row) => {
        for (const filter of filters) expect(filter.test(ingest(row))).toBe(filter.test(row));
      }),
    );
  });
});
