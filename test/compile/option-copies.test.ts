import { describe, expect, it } from 'vitest';
import '../../src/entries/explain.js';
import {
  compileFilter,
  defineSchema,
  FilterLimitError,
  t,
  type FilterOptions,
  type Limits,
} from '../../src/index.js';

const schema = defineSchema({ Name: t.string, Secret: t.hidden(t.string) });
const source = 'Name == "a" or Name == "b"';

describe('compileFilter', () => {
  it.each<[string, FilterOptions]>([
    ['inherited options', Object.create({ schema, limits: { maxTerms: 1 } }) as FilterOptions],
    ['inherited limits', { schema, limits: Object.create({ maxTerms: 1 }) as Partial<Limits> }],
    [
      'getters',
      {
        get schema() {
          return schema;
        },
        get limits() {
          return {
            get maxTerms() {
              return 1;
            },
          };
        },
      },
    ],
  ])('applies the limits of %s', (_, options) => {
    expect(() => compileFilter(source, options)).toThrow(FilterLimitError);
    expect(() => compileFilter('Secret == x', options)).toThrow('Secret');
  });

  it('rejects invalid inherited options and limits', () => {
    const check = Object.create({ check: 'no' }) as FilterOptions;
    expect(() => compileFilter(source, check)).toThrow('compileFilter: check must be a boolean, got "no"');
    const limits = Object.create({ maxTerms: 'x' }) as Partial<Limits>;
    expect(() => compileFilter(source, { limits })).toThrow('limits.maxTerms must be a positive number');
  });

  it('returns a filter that later changes of the options do not affect', () => {
    const limits = { maxTerms: 5, maxSteps: 100 };
    const options: { schema: typeof schema; limits: typeof limits; now?: () => Date } = { schema, limits };
    const filter = compileFilter(source, options);
    Object.assign(limits, { maxTerms: 1, maxLength: 1, maxSteps: 1 });
    Object.assign(options, { schema: undefined, check: 7 });
    expect(filter.explain({ Name: 'a' }).matches).toBe(true);
    expect(filter.ast.kind).toBe('or');
  });
});
