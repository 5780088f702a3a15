import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FilterSyntaxError } from '../../src/language/diagnostics/errors.js';
import { parse } from '../../src/language/parse.js';
import type { MatchExpression } from '../../src/language/syntax/ast.js';
import { FilterParser } from '../../src/language/syntax/parser.js';
import type { Dialect } from '../../src/language/syntax/dialect.js';
import { extensions, Name, typesIn, vocabulary } from '../../src/language/syntax/tokens.js';
import { rulesWithin, type Rule } from '../support/ebnf.js';
import { grammars, isSentence } from '../support/filter-grammar.js';
import { anyText, sentences } from '../support/filter-text.js';
import { unlimited } from '../support/unlimited.js';

const dialects: readonly Dialect[] = ['standard', 'go-bexpr'];

function accepts(text: string, dialect: Dialect): boolean {
  try {
    parse(text, { dialect, limits: unlimited });
    return true;
  } catch (error) {
    if (error instanceof FilterSyntaxError) return false;
    throw error;
  }
}

function nameOf(rule: Rule): string {
  return rule.kind === 'name' ? rule.name : '';
}

function read(text: string, dialect: Dialect): MatchExpression {
  const { ast } = parse(text, { dialect });
  if (ast.kind !== 'match') throw new Error(`${text}: expected one match`);
  return ast;
}

describe.each(dialects)('grammar/filter.ebnf and the parser, %s', (dialect) => {
  it('accept the same texts', () => {
    const property = fc.property(anyText(dialect), (text) => {
      expect(accepts(text, dialect)).toBe(isSentence(text, dialect));
    });
    fc.assert(property, { numRuns: 1_500 });
  });

  it('agree on what the grammar makes, most of which are filters', () => {
    const made = fc.sample(sentences(dialect), 500);
    const accepted = made.filter((text) => accepts(text, dialect));
    expect(accepted.length).toBeGreaterThan(made.length * 0.6);
    // About a hundred differ; far fewer would mean that the sentences are all alike.
    expect(new Set(accepted).size).toBeGreaterThan(50);
  });

  it('read what is a pointer, where a value is due, as the first alternative that takes it', () => {
    const alternatives = rulesWithin(grammars[dialect].get('value')!)
      .flatMap((rule) => (rule.kind === 'name' ? [rule.name] : []))
      .flatMap((name) => [name, ...rulesWithin(grammars[dialect].get(name)!).map(nameOf)]);
    const isPointer = alternatives.includes('pointer');
    const property = fc.property(sentences(dialect, 'pointer'), (text) => {
      const selector = read(`${text} == 1`, dialect).selector.path.join('/');
      const { value } = read(`a == ${text}`, dialect);
      expect(value).toMatchObject({ text: isPointer ? selector : text.slice(1, -1) });
    });
    fc.assert(property, { numRuns: 100 });
    expect(isPointer).toBe(dialect === 'go-bexpr');
  });

  it('know the same keywords', () => {
    const literals = [...grammars[dialect].values()]
      .flatMap(rulesWithin)
      .flatMap((rule) => (rule.kind === 'literal' && /^[a-z]{2,}$/.test(rule.text) ? [rule.text] : []));
    const keywords = vocabulary
      .filter((type) => typesIn(Name).includes(type) || type.name.includes(' '))
      .filter((type) => dialect === 'standard' || !extensions.has(type))
      .filter((type) => type !== Name)
      .flatMap(({ name }) => name.toLowerCase().split(' '))
      .concat(dialect === 'standard' ? ['len', 'now'] : []);
    expect([...new Set(literals)].sort()).toEqual([...new Set(keywords)].sort());
  });

  it('use every production that they define', () => {
    const used = [...grammars[dialect].values()]
      .flatMap(rulesWithin)
      .flatMap((rule) => (rule.kind === 'name' ? [rule.name] : []));
    const unused = [...grammars[dialect].keys()].filter((name) => name !== 'filter' && !used.includes(name));
    expect(unused).toEqual([]);
  });
});

describe('the parser', () => {
  it('has no ambiguity that Chevrotain can find', () => {
    expect(() => new FilterParser({ validate: true })).not.toThrow();
  });
});
