import { describe, expect, it } from 'vitest';
import { diagnostics, format, type DiagnosticsOptions } from '../../src/entries/editor.js';
import { defineSchema, t } from '../../src/index.js';

const schema = defineSchema({ ID: t.string, Priority: t.int, SecretID: t.hidden(t.string) });

describe('diagnostics', () => {
  const found = (text: string, options?: DiagnosticsOptions): string[] =>
    diagnostics(text, { schema, ...options }).map(
      ({ severity, code, span, label }) => `${severity} ${code} ${span.start}-${span.end}: ${label}`,
    );

  it.each<[string, DiagnosticsOptions, string[]]>([
    ['ID == x', {}, []],
    ['', {}, ['error no-match 0-0: expected a comparison such as Name == "x", found end of input']],
    ['ID == ', {}, ['error no-match 6-6: expected a value, found end of input']],
    ['ID = x', {}, ['error no-match 3-4: expected an operator such as == or in, found "="']],
    ['ID == x', { limits: { maxLength: 3 } }, ['error too-long 3-7: the limit is 3']],
    ['ID matches "a{9}"', { limits: { maxPatternLength: 2 } }, ['error pattern-too-long 11-17: too long']],
    [
      'Id == x and Priority == y or SecretID == z',
      {},
      [
        'error find-no-field 0-2: there is no such field',
        'error coerce-syntax 24-25: not an int',
        'error find-no-field 29-37: there is no such field',
      ],
    ],
    [
      'Id == "a and b" and (Priority == y or (ID == x and Pri',
      {},
      [
        'error find-no-field 0-2: there is no such field',
        'error coerce-syntax 33-34: not an int',
        'error unmatched-parentheses 54-54: expected an operator such as == or in, found end of input',
      ],
    ],
    [
      'Id is empty and',
      {},
      [
        'error find-no-field 0-2: there is no such field',
        'error no-match 15-15: expected a comparison such as Name == "x", found end of input',
      ],
    ],
    ['ID == = x and Id == x', {}, ['error no-match 6-7: expected a value, found "="']],
    ['Id == x', { allowUnknownFields: true }, []],
    ['not(ID == x)', {}, []],
    ['not(ID == x)', { portable: true }, ['warning missing-whitespace 3-3: go-bexpr needs whitespace here']],
    ['not(ID == x)', { dialect: 'go-bexpr' }, ['error no-match 3-4: whitespace is missing here']],
  ])('%s %j', (text, options, expected) => {
    expect(found(text, options)).toEqual(expected);
  });

  it('brings corrections along', () => {
    const [first] = diagnostics('Id == x', { schema });
    expect(first?.hint).toBe('did you mean ID?');
    expect(first?.suggestions).toEqual([
      expect.objectContaining({ span: { start: 0, end: 2 }, replacement: 'ID' }),
    ]);
  });

  it.each(['and', 'or', 'and ID == x or'])(
    'suggests no value for the start of a field name after %s',
    (words) => {
      const [last] = diagnostics(`ID == "x" ${words} Pri`, { schema }).slice(-1);
      expect(last?.hint).toMatch(/^Write a comparison after `(?:and|or)`, such as Pri == "...".$/);
      expect(last?.suggestions).toEqual([]);
    },
  );

  it('suggests a comparison for a value that starts no visible field name', () => {
    const suggested = ['web', 'Secret'].flatMap((value) =>
      diagnostics(`ID == "x" or ${value}`, { schema }).flatMap(({ suggestions }) => suggestions),
    );
    expect(suggested.map(({ replacement }) => replacement)).toEqual(['or ID == web', 'or ID == Secret']);
  });

  it('needs no schema', () => {
    expect(diagnostics('a matches "("')).toMatchObject([
      { code: 'bad-regexp', span: { start: 10, end: 13 } },
    ]);
  });
});

describe('format', () => {
  it.each([
    ['a==1 and((b contains "x"))', 'a == 1 and "x" in b'],
    ['not not a is empty', 'a is empty'],
  ])('%s', (text, expected) => {
    expect(format(text)).toEqual({ text: expected, problem: null });
  });

  it('leaves an unfinished text alone and says why', () => {
    const { text, problem } = format('a  ==1 and');
    expect(text).toBe('a  ==1 and');
    expect(problem).toMatchObject({ severity: 'error', code: 'no-match', span: { start: 10, end: 10 } });
  });
});
