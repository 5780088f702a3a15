import { expect, it } from 'vitest';
import { defaultLimits, defineSchema, t } from '../../src/index.js';
import { compileWhole } from '../../src/filter/filter.js';
import { findAccesses } from '../../src/filter/filter-set/access.js';
import { fieldsOfSet, type SetField } from '../../src/filter/filter-set/field-postings.js';

const names = Array.from({ length: 40 }, (_, at) => `F${at}`);
const schema = defineSchema(Object.fromEntries(names.map((name) => [name, t.string])));

/** Fields of a set that count how often they are looked up. */
class CountedFields extends Map<string, SetField<object>> {
  looks = 0;

  override has(name: string): boolean {
    this.looks += 1;
    return super.has(name);
  }

  override get(name: string): SetField<object> | undefined {
    this.looks += 1;
    return super.get(name);
  }
}

const terms = 800;
const joined = (clause: (at: number) => string): string =>
  Array.from({ length: terms }, (_, at) => clause(at)).join(' and ');

it.each([
  ['of one field', joined((at) => `F0 == a${at}`)],
  ['of many fields', joined((at) => `F${at % names.length} == a${at}`)],
  ['in the orders of many fields', joined((at) => `F${at % names.length} > a${at}`)],
  ['that are looked up nowhere', joined((at) => `F${at % names.length} != a${at}`)],
])('looks at each of eight hundred clauses %s a few times', (_, source) => {
  const fields = new CountedFields(fieldsOfSet<object>(schema, null));
  const { analysis, filter } = compileWhole(source, { schema });
  fields.looks = 0;
  findAccesses(filter.ast, { fields, analysis, present: analysis, costLimits: defaultLimits });
  expect(fields.looks).toBeLessThan(10 * terms);
});

it('knows which fields are read before a clause, and before clauses that an order decides at once', () => {
  const fields = fieldsOfSet<object>(schema, null);
  const guardOf = (name: string): unknown => fields.get(name)?.guard;
  const waysOf = (source: string): unknown[] => {
    const { analysis, filter } = compileWhole(source, { schema });
    const { ways } = findAccesses(filter.ast, {
      fields,
      analysis,
      present: analysis,
      costLimits: defaultLimits,
    });
    return ways.map(({ guards, indexed: served }) => [served, guards]);
  };
  const [f1, f2] = [guardOf('F1'), guardOf('F2')];
  expect(waysOf('F1 != x and F2 != x and F3 == a and F4 == a')).toEqual([
    [[2], [f1, f2]],
    [[3], [f1, f2, guardOf('F3')]],
  ]);
  expect(waysOf('F3 > a and F1 != x and F3 < z and F2 != x')).toEqual([[[0, 2], [f1]]]);
  expect(waysOf('F3 > a and F3 != b and F3 < z')).toEqual([[[0, 2], [guardOf('F3')]]]);
  expect(waysOf('F1 != x and (F3 == a or F4 == a) and F2 != x')).toEqual([[[], [f1]]]);
});
