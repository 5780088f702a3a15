import { describe, expect, it } from 'vitest';
import { lint } from '../../src/tools/lint/lint.js';
import { defineSchema, t } from '../../src/language/schema/define.js';
import type { Dialect } from '../../src/language/syntax/dialect.js';
import { applySuggestion } from '../../src/tools/lint/apply-fixes.js';

const jobs = defineSchema({
  ID: t.string,
  Name: t.string,
  Status: t.oneOf('running', 'pending', 'dead'),
  Priority: t.int,
  Stop: t.bool,
  States: t.list(t.oneOf('running', 'failed')),
  Meta: t.map(t.string),
  Periodic: t.nullable(t.struct({ Enabled: t.bool })),
  Groups: t.list(t.struct({ Count: t.int, Name: t.string, Kind: t.string })),
});

/** `text` with the marked part, the codes found there, and the text with the first suggestion in it. */
interface Case {
  readonly marked: string;
  readonly code: string;
  readonly corrected?: string | null;
}

function at(marked: string, code: string, corrected: string | null = null): Case {
  return { marked, code, corrected };
}

const levelOne: readonly Case[] = [
  at('«a > 5 and a < 3»', 'always-false', 'a > 5 or a < 3'),
  at('b == 1 and «a < 3 and a >= 3»', 'always-false', 'b == 1 and (a < 3 or a >= 3)'),
  at('«a > "b" and a < "a"»', 'always-false', 'a > "b" or a < "a"'),
  at('«len(a) > 5 and len(a) < 3»', 'always-false', 'len(a) > 5 or len(a) < 3'),
  at('a >= 5 and «a >= 3»', 'redundant', 'a >= 5'),
  at('«a <= 5» and a < 5', 'redundant', 'a < 5'),
  at('«a >= 5» or a >= 3', 'redundant', 'a >= 3'),
  at('a > 0.5 or «a > 0.75»', 'redundant', 'a > 0.5'),
  at('a in «[]»', 'always-false'),
  at('a not in «[]»', 'always-true'),
  at('a in [1, 2, «1»]', 'duplicate', 'a in [1, 2]'),
  at('a in ["x", «"x"», "y",]', 'duplicate', 'a in ["x", "y",]'),
  at('a > «"5"»', 'text-order', 'a > 5'),
  at('a == «@a»', 'self-reference'),
  at('«a in ["x"] and a not in ["x"]»', 'always-false'),
];

const levelOneTyped: readonly Case[] = [
  at('Status > «"5"»', 'text-order'),
  at('«Priority > 5 and Priority < "0x3"»', 'always-false', 'Priority > 5 or Priority < "0x3"'),
];

/** Sound, but for what go-bexpr does not have. */
const levelOneInnocent: readonly string[] = [
  'any L as x { a == @x }',
  'a > 5 and a < 9',
  'a >= 5 and a <= 5',
  'a > 5 or a < 3',
  'a > 5 or a <= 5',
  'a > 5 and a > "b"',
  'a < 5 and not (a < 3)',
  'a < @b and a < @c',
  'a == "x" and a == "X"i',
  'a == @b and a != @c',
  'a == @b and a == "b"',
  'len(a) == 1 and a == 2',
  'len(a) == len',
  'a in ["x"] and a not in ["y"]',
  'a in ["x"] and a in ["y"]',
  'a in [5, "5"]',
  'a in ["x", "x"i]',
  'a > "5x"',
  'a == @b.a',
];

const untyped: readonly Case[] = [
  at('«a == 1 and a == 2»', 'always-false', 'a == 1 or a == 2'),
  at('b == 1 and «a == 1 and a == 2» and c == 3', 'always-false', 'b == 1 and (a == 1 or a == 2) and c == 3'),
  at('(«a == 1) and (a == 2»)', 'always-false'),
  at('«a != 1 or a != 2»', 'always-true', 'a != 1 and a != 2'),
  at('«a == 1 and a != 1»', 'always-false'),
  at('«a is empty or a is not empty»', 'always-true'),
  at('«x in a and x not in a»', 'always-false'),
  at('«a == 1 and b == 2 and not (a == 1)»', 'always-false'),
  at('a == 1 and «a == 1»', 'duplicate', 'a == 1'),
  at('a == 1 or b == 2 or «a == "1"» or c == 3', 'duplicate', 'a == 1 or b == 2 or c == 3'),
  at('a == x and «a != y»', 'redundant', 'a == x'),
  at('«a != y» and a == x', 'redundant', 'a == x'),
  at('a != x or «a == y»', 'redundant', 'a != x'),
  at('«not a != 1»', 'double-negation', 'a == 1'),
  at('«not (a is not empty)»', 'double-negation', 'a is empty'),
  at('«not (x not in a)»', 'double-negation', 'x in a'),
  at('«not (a not contains x)» and b == 1', 'double-negation', 'a contains x and b == 1'),
  at('a matches «"10.0.0.1"»', 'unescaped-dot', 'a matches `10\\.0\\.0\\.1`'),
  at('a matches «"^example.com$"»', 'unescaped-dot', 'a matches `^example\\.com$`'),
  at('a matches «"web-*"»', 'glob', 'a matches "^web-"'),
  at('a matches «"web*db"»', 'glob', 'a matches "^web.*db$"'),
  at('a contains «"web*"»', 'glob', 'a contains "web"'),
  at('«"*web*"» in a', 'glob', 'a contains "web"'),
  at('a == «"web-*"»', 'glob', 'a like "web-*"'),
  at('a != «"*.b"i»', 'glob', 'a not like "*.b"i'),
  at('a starts with «"web*"»', 'glob', 'a starts with "web"'),
  at('a not ends with «"a*b"»', 'glob', 'a not like "*a*b"'),
  at('a like «"web%"»', 'glob', 'a like "web*"'),
  at('a not like «"%web_1%"i»', 'glob', 'a not like "*web?1*"i'),
  at('«a matches ".*"»', 'matches-everything'),
  at('«a not matches ""»', 'matches-everything'),
  at('a == «nil»', 'nil-as-text', 'a is nil'),
  at('a in ["x", «null»]', 'nil-as-text', '(a in ["x"] or a is nil)'),
  at('a not in ["x", «NULL»]', 'nil-as-text', '(a not in ["x"] and a is not nil)'),
  at('a != «null»', 'nil-as-text', 'a is not nil'),
  at('a==«empty»', 'nil-as-text', 'a is empty'),
  at('any L as «x» { a == 1 }', 'unused-name'),
  at('any L as x { any x as «x» { x == 1 } }', 'shadowed-name'),
  at('any L as i, x { i == «web» and x == 1 }', 'index-as-value'),
];

const typed: readonly Case[] = [
  at('Status == «runing»', 'unknown-value', 'Status == "running"'),
  at('Status != «"RUNNING"»', 'unknown-value', 'Status != "running"'),
  at('Status == «stopped»', 'unknown-value'),
  at('«faild» in States', 'unknown-value', '"failed" in States'),
  at('Name == «ID»', 'field-as-value', 'Name == @ID'),
  at('any Groups as g { g.Name == «g.Kind» }', 'field-as-value', 'any Groups as g { g.Name == @g.Kind }'),
  at('Name == «nil»', 'nil-as-text', 'Name is empty'),
  at('any Groups as «Name» { Name.Count == 1 }', 'shadowed-name'),
  at('any Groups as «g» { Count == 1 }', 'unused-name', 'any Groups as g { g.Count == 1 }'),
  at('«Priority == 1 and Priority == 2»', 'always-false', 'Priority == 1 or Priority == 2'),
];

const innocent: readonly string[] = [
  'a == 1 and a == "0x1"',
  'a == true and a == 1',
  'a == 1 or a == 2',
  'a != 1 and a != 2',
  'a == 1 and b == 1',
  'x in a and y in a',
  'a matches "^10\\\\.0"',
  'a matches `^web-[0-9]+$`',
  'a matches "^.*$"',
  'a matches "web.*"',
  'a == "nil"',
  'not a == 1',
  'not (a == 1 and b != 2)',
  'any L as i, x { i == 0 and x == 1 }',
  'any L as x { any x.M as y { y == 1 } }',
];

const typedInnocent: readonly string[] = [
  'Status == running',
  'running in Status',
  'run in Status',
  '"running" in States',
  'Name == "ID"',
  'any Groups as g { g.Count == 1 }',
  '"Name" in Meta',
];

const portable: readonly Case[] = [
  at('not«»(a == 1)', 'not-portable', 'not (a == 1)'),
  at('a« ». b == 1', 'not-portable', 'a. b == 1'),
  at('b == 1 and «any L as x { x == 5 }»', 'not-portable', 'b == 1 and (any L as x { x == 5 })'),
  at('a == "x«\\"»y"', 'not-portable', 'a == "x\\x22y"'),
  at('a == «"/srv/x"»', 'not-portable', 'a == `/srv/x`'),
  at('(not in «in» )', 'not-portable'),
];

function judge({ marked, code, corrected }: Case, schema: typeof jobs | null, dialect?: Dialect): void {
  const text = marked.replace(/[«»]/g, '');
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  const found = lint(text, { schema: schema ?? undefined, ...(dialect === undefined ? {} : { dialect }) });
  const finding = found.find((each) => each.code === code);
  expect(found.map((each) => [each.code, text.slice(each.span.start, each.span.end)])).toContainEqual([
    code,
    text.slice(start, end),
  ]);
  expect(finding?.span).toEqual({ start, end });
  const [first] = finding?.suggestions ?? [];
  expect(first === undefined ? null : applySuggestion(text, first)).toBe(corrected);
}

describe('lint', () => {
  it('reports a word that is a field of the rows', () => {
    const rows = [{}, { value: { a: 1 } }, { value: { b: 1 } }];
    const [finding, ...more] = lint('value.a == value.b', { rows });
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ code: 'field-as-value', span: { start: 11, end: 18 } });
    expect(lint('value.a == "value.b" or value.a == c', { rows })).toEqual([]);
  });

  it.each(untyped)('without a schema: $marked is $code', (each) => judge(each, null));
  it.each(typed)('with a schema: $marked is $code', (each) => judge(each, jobs));
  it.each(portable)('says what is not portable: $marked', (each) => judge(each, null));
  it.each(levelOne)('without a schema: $marked is $code', (each) => judge(each, null));
  it.each(levelOneTyped)('with a schema: $marked is $code', (each) => judge(each, jobs));
  it.each(levelOneInnocent)('has nothing to say about %s', (text) => {
    expect(lint(text).filter(({ code }) => code !== 'not-portable')).toEqual([]);
  });

  it.each([
    ['At > 2026-11-02 and At < "2026-11-01T00:00:00Z"', 'always-false'],
    ['At == 2026-11-01 and At == "2026-11-02"', 'always-false'],
    ['At == 2026-11-01 and At == "2026-11-01T00:00:00Z"', null],
    ['At > now and At < now - 1d', null],
    ['Wait > 90m and Wait > "1h"', 'redundant'],
    ['Build >= 1.10.0 and Build < 1.9.0', 'always-false'],
    ['Size > 1.5GiB and Size < 1600', null],
    ['Addr == "10.0.0.1" and Addr == "10.0.0.1:80"', null],
    ['At in [now, "2026-11-01"]', null],
  ])('knows instances: %s', (text, code) => {
    const schema = defineSchema({
      At: t.time,
      Wait: t.duration,
      Build: t.version,
      Size: t.bytes('MiB'),
      Addr: t.ip({ port: true }),
    });
    const codes = lint(text, { schema }).map((finding) => finding.code);
    expect(codes.filter((each) => each !== 'not-portable')).toEqual(code === null ? [] : [code]);
  });

  it.each(innocent)('has nothing to say about %s', (text) => expect(lint(text)).toEqual([]));
  it.each(typedInnocent)('has nothing to say, knowing the fields, about %s', (text) => {
    expect(lint(text, { schema: jobs })).toEqual([]);
  });

  it('warns of pointers among values in the dialect that has them', () => {
    judge(at('a == «"/srv/x"»', 'value-as-pointer', 'a == `/srv/x`'), null, 'go-bexpr');
    expect(lint('a == "/srv/x/"', { dialect: 'go-bexpr' })).toEqual([]);
    expect(lint('a == `/srv/x`', { dialect: 'go-bexpr' })).toEqual([]);
  });

  it('finds no more than a hundred', () => {
    expect(lint(Array.from({ length: 150 }, () => 'a == nil').join(' or ')).length).toBe(100);
  });

  it('takes time in proportion to many alternatives on one field', () => {
    const text = Array.from({ length: 2000 }, (_, index) => `a == ${index}`).join(' or ');
    expect(lint(text)).toEqual([]);
  });
});

describe('not before a bracket', () => {
  const text = 'a == 1 and not ["k"] == x';

  it('is reported with the negation that was probably meant', () => {
    const [finding] = lint(text).filter(({ code }) => code === 'negated-key');
    expect(finding).toMatchObject({
      span: { start: 11, end: 14 },
      hint: 'to negate, write not (["k"] == x)',
    });
    expect(finding?.suggestions[0]?.replacement).toBe('not (["k"] == x)');
  });

  it.each<[string, Parameters<typeof lint>[1]]>([
    ['not["k"] == x', {}],
    ['not ["k"] == x', { rows: [{ not: { k: 1 } }] }],
    ['not ["k"] == x', { schema: defineSchema({ not: t.map(t.string) }) }],
    ['not ["k"] == x', { level: 0 }],
    ['not (["k"] == x)', {}],
    ['x in not ["k"]', {}],
  ])('is not reported for %s with %j', (source, options) => {
    expect(lint(source, options).filter(({ code }) => code === 'negated-key')).toEqual([]);
  });
});
