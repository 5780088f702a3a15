import { afterAll, describe, expect, it, vi } from 'vitest';
import type { OperatorBehaviour } from '../../src/filter/compile/operators/behaviour.js';
import { literal } from '../../src/language/operators/operand-shape.js';
import type { Operator } from '../../src/language/operators/operator.js';

// What an operator needs besides its two modules: it is put on the lists before anything else of the engine is loaded, and the
// whole engine has to know it. In two words, and none of go-bexpr's.

const facts: Operator<'opens with', 'not opens with', typeof literal, 'opensWith' | 'notOpensWith'> = {
  name: 'opens with',
  negation: 'not opens with',
  spellings: [{ text: 'opens with', negation: 'not opens with', position: 'infix' }],
  operand: literal,
  dialect: 'standard',
  extension: 'affix',
  equates: 'part',
  isBounded: true,
  whenAbsent: false,
  takes: { string: 'text', time: 'text' },
  refusal: { code: 'no-match-text', message: (kind) => `a ${kind} does not open`, hint: 'a hint' },
  phrases: { default: ['begins with', 'does not begin with'] },
  methods: ['opensWith', 'notOpensWith'],
};
// Test files share the modules of their worker: this one has an engine of its own, and removes it.
vi.resetModules();
afterAll(() => vi.resetModules());
const { operators } = await import('../../src/language/operators/operators.js');
(operators as unknown as Operator[]).splice(3, 0, facts);
const { installDefaults } = await import('../../src/entries/node-defaults.js');
installDefaults();

const { behaviours } = await import('../../src/filter/compile/operators/behaviours.js');
const { createLiteralTest } = await import('../../src/filter/compile/operators/text-test.js');
const { prefixTest } = await import('../../src/filter/compile/quick/check.js');
const behaviour: OperatorBehaviour = {
  createTest: (context) =>
    createLiteralTest(
      context,
      ({ text }) =>
        (value) =>
          value.startsWith(text),
    ),
  chooseCheck: ({ type, operand: { text } }) =>
    type.kind === 'string' ? { template: prefixTest, operands: [text, text.charCodeAt(0)] } : null,
  indexKeys: () => null,
};
Object.assign(behaviours, { 'opens with': behaviour });

const { where } = await import('../../src/tools/builder/where.js');
const { complete, diagnostics } = await import('../../src/entries/editor.js');
const { compileWhole } = await import('../../src/filter/filter.js');
const { check, compileFilter, defineSchema, FilterSyntaxError, parse, print, t } =
  await import('../../src/index.js');
const { lint } = await import('../../src/entries/lint.js');
const { eager } = await import('../specialise/eager.js');

const schema = defineSchema({ Name: t.string, Priority: t.int });

describe('an operator that is put on the list', () => {
  it.each([
    ['Name opens with web', 'Name opens with "web"'],
    ['Name opens \n with "web"', 'Name opens with "web"'],
    ['Name not opens with 5', 'Name not opens with 5'],
    ['not Name.opens opens with x', 'not Name.opens opens with "x"'],
    ['not opens with x', 'not opens with "x"'],
    ['opens == with and opens.with in with', 'opens == "with" and "opens.with" in with'],
    ['openswith == opens', 'openswith == "opens"'],
    ['any opens as with { with opens with x }', 'any opens as with { with opens with "x" }'],
  ])('%j is read as %s', (text, canonical) => {
    expect(print(parse(text).ast)).toBe(canonical);
    expect(print(parse(canonical).ast)).toBe(canonical);
  });

  it('is noted as none of go-bexpr, with the blanks that are missing', () => {
    expect(parse('a["k"]opens with"x"').relaxations).toEqual([
      { kind: 'affix', span: { start: 6, end: 16 } },
      { kind: 'missing-whitespace', span: { start: 6, end: 6 } },
      { kind: 'missing-whitespace', span: { start: 16, end: 16 } },
    ]);
  });

  it.each([
    [
      'Name opens with "web"',
      '1:6 (5): no match found, expected: "!=", "==", "contains", "in", "is", "matches", "not" or [ \\t\\r\\n]',
    ],
    [
      'Name not opens with "web"',
      '1:10 (9): no match found, expected: "contains", "in", "matches" or [ \\t\\r\\n]',
    ],
  ])('go-bexpr says to %s what it has always said', (text, message) => {
    expect(() => parse(text, { dialect: 'go-bexpr' })).toThrow(FilterSyntaxError);
    expect(() => parse(text, { dialect: 'go-bexpr' })).toThrow(
      expect.objectContaining({ goMessage: expect.stringContaining(message) as string }),
    );
  });

  it.each([
    ['closures', null],
    ['code', eager],
  ])('is evaluated on rows by %s', (_, specialise) => {
    const rows = ['web-1', 'db', '', 'web'].map((Name) => ({ Name, Priority: 1 }));
    const { filter } = compileWhole('Name opens with web and Priority == 1', { schema }, specialise);
    expect(rows.map((row) => filter.test(row))).toEqual([true, false, false, true]);
    expect(compileFilter('Name not opens with web').select(rows)).toEqual(rows.slice(1, 3));
  });

  it('refuses the kinds that it does not take', () => {
    const [complaint] = check('Priority opens with 1', { schema });
    expect(complaint).toMatchObject({ code: 'no-match-text', goMessage: expect.stringContaining('a int') });
  });

  it('has its methods', () => {
    const field = where('Name') as unknown as Record<string, (text: string) => unknown>;
    expect(String(field['notOpensWith']?.('web'))).toBe('Name not opens with "web"');
  });

  it('is offered by editors, named in hints and found by lint', () => {
    const offered = (dialect: 'standard' | 'go-bexpr'): string[] =>
      complete('Name ', 5, { schema, dialect }).items.map(({ label }) => label);
    expect(offered('standard')).toEqual(expect.arrayContaining(['opens with', 'not opens with']));
    expect(offered('go-bexpr')).not.toEqual(expect.arrayContaining(['opens with']));
    expect(() => parse('Name ^^ 5')).toThrow(
      expect.objectContaining({
        hint: expect.stringContaining('opens with'),
      }),
    );
    const [finding] = lint('Name opens with web');
    expect(finding).toMatchObject({ code: 'not-portable', span: { start: 5, end: 15 } });
    const [problem] = diagnostics('Name opens with web', { portable: true });
    expect(problem).toMatchObject({ code: 'affix', severity: 'warning' });
  });
});
