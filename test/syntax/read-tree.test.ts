import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterLimitError } from '../../src/language/diagnostics/errors.js';
import { diagnose, explain } from '../../src/entries/explain.js';
import { compileFilter } from '../../src/filter/filter.js';
import { check } from '../../src/language/schema/check.js';
import type { Expression } from '../../src/language/syntax/ast.js';
import { parse } from '../../src/language/parse.js';
import { print } from '../../src/language/syntax/print.js';
import { essence, trees } from '../support/filter-tree.js';
import { unlimited } from '../support/unlimited.js';

const match = {
  kind: 'match',
  operator: '==',
  selector: { form: 'bexpr', path: ['a'] },
  value: { text: '1', wellFormed: true },
};
const binding = { default: { text: 'x' }, index: null, value: null };

/** What a program may have put together, whatever its type says. */
function compile(tree: unknown, limits = {}): unknown {
  return compileFilter(tree as Expression, { limits });
}

describe('the tree of a filter', () => {
  it('is compiled as its text', () => {
    const filter = compileFilter(parse('Status == "running" and not (Priority == 50)').ast);
    expect(filter.source).toBe('Status == "running" and not Priority == 50');
    expect(filter.test({ Status: 'running', Priority: 49 })).toBe(true);
    expect(filter.test({ Status: 'running', Priority: 50 })).toBe(false);
  });

  it('is checked as its text', () => {
    expect(check(parse('a matches "("').ast).map(({ code }) => code)).toEqual(
      check('a matches "("').map(({ code }) => code),
    );
  });

  it('is explained and diagnosed as its text', () => {
    const { ast } = parse('Status == "running" and Priority == 50');
    const row = { Status: 'dead', Priority: 50 };
    expect(String(explain(ast, row))).toBe(String(explain(print(ast), row)));
    expect(String(diagnose(ast, [row]))).toBe(String(diagnose(print(ast), [row])));
    expect(() => explain({ kind: 'xor' } as never, row)).toThrow(
      new TypeError('explain: tree.kind: expected or, and, not, match, any or all, not "xor"'),
    );
  });

  it('that is too large is refused in one line: there is no text to point into', () => {
    let deep: unknown = match;
    for (let depth = 0; depth < 200; depth += 1) deep = { kind: 'not', operand: deep };
    let error: unknown;
    try {
      compile(deep);
    } catch (thrown) {
      error = thrown;
    }
    expect(String(error)).toBe('FilterLimitError: the tree is nested more than 100 deep');
  });

  it('comes back the same from compileFilter, whatever it holds', () => {
    const property = fc.property(trees, (tree) => {
      const filter = compileFilter(tree, { limits: unlimited, check: false });
      expect(filter.source).toBe(print(tree));
      expect(essence(filter.ast)).toEqual(essence(tree));
    });
    fc.assert(property);
  });

  // One line a case: the tree, what is said of it.
  it.each<[string, unknown, string]>([
    ['no kind', { kind: 'xor' }, 'tree.kind: expected or, and, not, match, any or all, not "xor"'],
    [
      'an operator that is text',
      { ...match, operator: '== 1 or b ==' },
      'tree.operator: expected an operator such as ==, not "== 1 or b =="',
    ],
    [
      'an operator of every object',
      { ...match, operator: 'constructor' },
      'tree.operator: expected an operator such as ==, not "constructor"',
    ],
    [
      'a number as value',
      { ...match, value: { text: 1, wellFormed: true } },
      'tree.value.text: expected a text, not 1',
    ],
    ['a bare value', { ...match, value: '1' }, 'tree.value: expected a node, not "1"'],
    ['no value', { ...match, value: null }, 'tree.value: expected a node, not null'],
    [
      'a value that is not asked for',
      { ...match, operator: 'is nil' },
      'tree.value: expected null, because is nil takes no value, not an object',
    ],
    [
      'a text that says nothing of its bytes',
      { ...match, value: { text: '1' } },
      'tree.value.wellFormed: expected true or false, not undefined',
    ],
    [
      'bytes that are not there',
      { ...match, value: { text: '1', wellFormed: false } },
      'tree.value.text: expected U+FFFD for the bytes that are not UTF-8, not "1"',
    ],
    [
      'no path',
      { ...match, selector: { form: 'bexpr', path: [] } },
      'tree.selector.path: A selector must have at least one part, got none.',
    ],
    [
      'a form',
      { ...match, selector: { form: 'json', path: ['a'] } },
      'tree.selector.form: expected bexpr or pointer, not "json"',
    ],
    [
      'a path with a hole',
      { ...match, selector: { form: 'bexpr', path: ['a', undefined] } },
      'tree.selector.path[1]: expected a text, not undefined',
    ],
    [
      'one operand',
      { kind: 'and', operands: [match] },
      'tree.operands: expected two or more operands, not 1',
    ],
    [
      'an operand that is nothing',
      { kind: 'or', operands: [match, null] },
      'tree.operands[1]: expected a node, not null',
    ],
    [
      'a name that is a clause',
      { kind: 'any', selector: match.selector, binding: { default: { text: 'x { b' } }, body: match },
      'tree.binding.default.text: expected a name, not "x { b"',
    ],
    [
      'no name',
      { kind: 'any', selector: match.selector, binding: {}, body: match },
      'tree.binding: expected default alone, or index, value or both, not an object',
    ],
    [
      'too many names',
      { kind: 'any', selector: match.selector, binding: { ...binding, value: { text: 'y' } }, body: match },
      'tree.binding: expected default alone, or index, value or both, not an object',
    ],
  ])('is refused with %s', (_, tree, said) => {
    expect(() => compile(tree)).toThrow(new TypeError(`compileFilter: ${said}`));
  });

  it('is read once: what was checked is what is compiled', () => {
    const operators = ['==', '== 1 or b ==', '!='];
    const tree = {
      ...match,
      get operator() {
        return operators.shift();
      },
    };
    expect((compile(tree) as { source: string }).source).toBe('a == 1');
    expect(operators).toHaveLength(2);
  });

  it('is bounded: deep, within itself, shared a million times, long', () => {
    let deep: unknown = match;
    for (let depth = 0; depth < 200; depth += 1) deep = { kind: 'not', operand: deep };
    const within: { kind: string; operand: unknown } = { kind: 'not', operand: null };
    within.operand = within;
    let shared: unknown = match;
    for (let level = 0; level < 60; level += 1) shared = { kind: 'and', operands: [shared, shared] };
    const long = { ...match, value: { text: 'x'.repeat(100_000), wellFormed: true } };
    const sparse = { kind: 'and', operands: new Array(2 ** 31) };
    const codes = [deep, within, shared, long, sparse].map((tree) => {
      try {
        return compile(tree);
      } catch (error) {
        return error instanceof FilterLimitError ? error.code : error;
      }
    });
    expect(codes).toEqual(['too-deep', 'too-deep', 'too-many-terms', 'too-long', 'too-long']);
    expect(() => compile(within, { maxDepth: Infinity })).toThrow(/deeper than the call stack allows/);
  });

  it('is bounded: arrays that grow while they are read, and parts of no characters', () => {
    let reads = 0;
    const max = 100_000;
    const read = (): string => {
      reads += 1;
      if (reads > max) throw new Error('read on and on');
      return '';
    };
    const endless = Object.assign(['a'], {
      *[Symbol.iterator]() {
        for (;;) yield read();
      },
    });
    const growing = new Proxy(['a'], {
      get: (parts, key): unknown =>
        key === 'length'
          ? 2 + reads
          : key === '0' || typeof key === 'symbol'
            ? Reflect.get(parts, key)
            : read(),
    });
    for (const path of [endless, growing]) {
      const tree = { ...match, selector: { form: 'bexpr', path } };
      expect((compile(tree) as { source: string }).source).toMatch(/^a(\[""\])? == 1$/);
    }
    const hollow = { ...match, selector: { form: 'bexpr', path: ['a', ...Array<string>(60_000).fill('')] } };
    const shared = { kind: 'and', operands: Array<unknown>(1_000).fill(hollow) };
    expect(() => compile(shared)).toThrow('the texts of the tree are longer than 65536 characters');
  });
});
