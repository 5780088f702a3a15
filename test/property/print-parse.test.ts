import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterSyntaxError } from '../../src/language/diagnostics/errors.js';
import type { Expression } from '../../src/language/syntax/ast.js';
import { formOf } from '../../src/language/operators/operators.js';
import { isLevelOne } from '../../src/language/hints/level-one.js';
import { parse } from '../../src/language/parse.js';
import { print } from '../../src/language/syntax/print.js';
import type { Dialect } from '../../src/language/syntax/dialect.js';
import { walk } from '../../src/language/syntax/visit.js';
import { anyText } from '../support/filter-text.js';
import { essence, trees } from '../support/filter-tree.js';
import { unlimited } from '../support/unlimited.js';
import { scaled } from '../support/property-runs.js';

const dialects: readonly Dialect[] = ['standard', 'go-bexpr'];

/** Whether go-bexpr has all of the tree. */
function isPortable(tree: Expression): boolean {
  let portable = true;
  walk(tree, {
    match({ operator, aspect, value }) {
      const isPlain =
        value === null || (value.kind === 'value' && !value.ignoreCase && value.form !== 'typed');
      portable &&= isPlain && aspect === 'value' && formOf(operator).operator.extension === undefined;
    },
  });
  return portable;
}

/** The same tree comes back from its text in each dialect that has its operators, and the text is canonical. */
function expectRoundTrip(tree: Expression): void {
  const text = print(tree);
  // Names that begin with an underscore or a bracket are of level 1.
  const { relaxations } = parse(text, { limits: unlimited });
  const portable = isPortable(tree) && relaxations.every(({ kind }) => kind !== 'field-name');
  for (const dialect of portable ? dialects : dialects.slice(0, 1)) {
    const parsed = parse(text, { dialect, limits: unlimited });
    expect(essence(parsed.ast)).toEqual(essence(tree));
    const used = parsed.relaxations.map(({ kind }) => kind);
    expect(used.every((kind) => isLevelOne(kind))).toBe(true);
    expect(used.length === 0).toBe(portable);
    expect(print(parsed.ast)).toBe(text);
  }
}

describe('parse and print', () => {
  it.each(dialects)('give the tree of any %s text back', (dialect) => {
    let filters = 0;
    const property = fc.property(anyText(dialect), (text) => {
      let tree: Expression;
      try {
        tree = parse(text, { dialect, limits: unlimited }).ast;
      } catch (error) {
        expect(error).toBeInstanceOf(FilterSyntaxError);
        return;
      }
      filters += 1;
      expectRoundTrip(tree);
    });
    fc.assert(property, { numRuns: 2_000 });
    expect(filters).toBeGreaterThan(scaled(300));
  });

  it('give any tree back, whatever its keys and values hold', () => {
    fc.assert(fc.property(trees, expectRoundTrip), { numRuns: 1_000 });
  });
});
