import { describe, expect, it } from 'vitest';
import type { OperatorBehaviour } from '../../src/compile/operators/behaviour.js';
import type { Operator } from '../../src/operators/operator.js';
import { operators } from '../../src/operators/operators.js';

// What an operator needs besides its two modules: it is put on the lists before anything else of the engine is loaded, and the
// whole engine has to know it. In two words, and none of go-bexpr's.

const facts: Operator<'starts with', 'not starts with', 'literal', 'startsWith' | 'notStartsWith'> = {
  name: 'starts with',
  negation: 'not starts with',
  spellings: [{ text: 'starts with', negation: 'not starts with', position: 'infix' }],
  operand: 'literal',
  dialect: 'standard',
  equates: 'part',
  isBounded: true,
  whenAbsent: false,
  takes: { string: 'text', time: 'text' },
  refusal: { code: 'no-match-text', message: (kind) => `a ${kind} does not start`, hint: 'a hint' },
  phrases: { usual: ['begins with', 'does not begin with'] },
  methods: ['startsWith', 'notStartsWith'],
};
(operators as unknown as Operator[]).splice(3, 0, facts);

const { behaviours } = await import('../../src/compile/operators/behaviours.js');
const { createLiteralTest } = await import('../../src/compile/operators/text-test.js');
const { prefixTest } = await import('../../src/compile/quick/check.js');
const behaviour: OperatorBehaviour = {
  createTest: (context) => createLiteralTest(context, (text) => (value) => value.startsWith(text)),
  chooseCheck: ({ type, operand: { text } }) =>
    type.kind === 'string' ? { template: prefixTest, operands: [text, text.charCodeAt(0)] } : null,
  indexKeys: () => null,
};
Object.assign(behaviours, { 'starts with': behaviour });

const { where } = await import('../../src/builder/where.js');
const { complete, diagnostics } = await import('../../src/editor/index.js');
const { compileWhole } = await import('../../src/filter.js');
const { check, compileFilter, defineSchema, FilterSyntaxError, parse, print, t } =
  await import('../../src/index.js');
const { lint } = await import('../../src/lint/index.js');
const { eager } = await import('../specialise/eager.js');

const schema = defineSchema({ Name: t.string, Priority: t.int });

describe('an operator that is put on the list', () => {
  it.each([
    ['Name starts with web', 'Name starts with "web"'],
    ['Name starts \n with "web"', 'Name starts with "web"'],
    ['Name not starts with 5', 'Name not starts with 5'],
    ['not Name.starts starts with x', 'not Name.starts starts with "x"'],
    ['not starts with x', 'not starts with "x"'],
    ['starts == with and starts.with in with', 'starts == "with" and "starts.with" in with'],
    ['startswith == starts', 'startswith == "starts"'],
    ['any starts as with { with starts with x }', 'any starts as with { with starts with "x" }'],
  ])('%j is read as %s', (text, canonical) => {
    expect(print(parse(text).ast)).toBe(canonical);
    expect(print(parse(canonical).ast)).toBe(canonical);
  });

  it('is noted as none of go-bexpr, with the blanks that are missing', () => {
    expect(parse('a["k"]starts with"x"').relaxations).toEqual([
      { kind: 'standard-operator', span: { start: 6, end: 17 } },
      { kind: 'missing-whitespace', span: { start: 6, end: 6 } },
      { kind: 'missing-whitespace', span: { start: 17, end: 17 } },
    ]);
  });

  it.each([
    [
      'Name starts with "web"',
      '1:6 (5): no match found, expected: "!=", "==", "contains", "in", "is", "matches", "not" or [ \\t\\r\\n]',
    ],
    [
      'Name not starts with "web"',
      '1:10 (9): no match found, expected: "contains", "in", "matches" or [ \\t\\r\\n]',
    ],
  ])('go-bexpr says to %s what it has always said', (text, message) => {
    expect(() => parse(text, { dialect: 'go-bexpr' })).toThrow(FilterSyntaxError);
    expect(() => parse(text, { dialect: 'go-bexpr' })).toThrow(message);
  });

  it.each([
    ['closures', null],
    ['code', eager],
  ])('is asked of rows by %s', (_, specialise) => {
    const rows = ['web-1', 'db', '', 'web'].map((Name) => ({ Name, Priority: 1 }));
    const { filter } = compileWhole('Name starts with web and Priority == 1', { schema }, specialise);
    expect(rows.map((row) => filter.test(row))).toEqual([true, false, false, true]);
    expect(compileFilter('Name not starts with web').select(rows)).toEqual(rows.slice(1, 3));
  });

  it('refuses the kinds that it does not take', () => {
    const [complaint] = check('Priority starts with 1', { schema });
    expect(complaint).toMatchObject({ code: 'no-match-text', message: expect.stringContaining('a int') });
  });

  it('has its methods', () => {
    const field = where('Name') as unknown as Record<string, (text: string) => unknown>;
    expect(String(field['notStartsWith']?.('web'))).toBe('Name not starts with "web"');
  });

  it('is offered by editors, named in hints and found by lint', () => {
    const offered = (dialect: 'standard' | 'go-bexpr'): string[] =>
      complete('Name ', 5, { schema, dialect }).items.map(({ label }) => label);
    expect(offered('standard')).toEqual(expect.arrayContaining(['starts with', 'not starts with']));
    expect(offered('go-bexpr')).not.toEqual(expect.arrayContaining(['starts with']));
    expect(() => parse('Name ^^ 5')).toThrow(
      expect.objectContaining({
        hint: expect.stringContaining('==, !=, in, contains, matches, starts with or is'),
      }),
    );
    const [finding] = lint('Name starts with web');
    expect(finding).toMatchObject({ code: 'not-portable', span: { start: 5, end: 16 } });
    const [problem] = diagnostics('Name starts with web', { portable: true });
    expect(problem).toMatchObject({ code: 'standard-operator', severity: 'warning' });
  });
});
