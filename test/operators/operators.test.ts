import { describe, expect, it } from 'vitest';
import { parse, print } from '../../src/index.js';
import { formOf, operatorForms, operators, writtenForms } from '../../src/language/operators/operators.js';
import type { MatchExpression } from '../../src/language/syntax/ast.js';
import { where } from '../../src/tools/builder/where.js';

/** A match with an operator in one of its spellings. */
function textOf({ text, position }: ReturnType<typeof writtenForms>[number]): string {
  if (position === 'postfix') return `Name ${text}`;
  if (position === 'list') return `Name ${text.replace('[..]', '["web"]')}`;
  return position === 'reversed' ? `"web" ${text} Name` : `Name ${text} "web"`;
}

function matchOf(text: string): MatchExpression {
  const { ast } = parse(text);
  if (ast.kind !== 'match') throw new Error(`${text} is no match`);
  return ast;
}

describe('the list of operators', () => {
  it.each(writtenForms())('$text is read as $operator', (written) => {
    expect(matchOf(textOf(written)).operator).toBe(written.operator);
  });

  it.each(operatorForms())('$name is printed in its canonical spelling', ({ name }) => {
    const [canonical] = writtenForms().filter(({ operator }) => operator === name);
    if (canonical === undefined) throw new Error('no spelling');
    const text = textOf(canonical);
    expect(print(matchOf(text))).toBe(text);
  });

  it.each(operatorForms())('$name has a value where its operand says so', ({ name, operator }) => {
    for (const written of writtenForms().filter((each) => each.operator === name)) {
      expect(matchOf(textOf(written)).value === null).toBe(operator.operand.operands === 'none');
    }
  });

  const made = operatorForms().flatMap(({ name, operator, methods }) =>
    methods.map((method) => ({ name, operator, method })),
  );

  it.each(made)('the builder makes $name with $method', ({ name, operator, method }) => {
    const test = where('Name')[method] as (value: unknown) => { readonly ast: unknown };
    expect(test(operator.operand.operands === 'list' ? ['web'] : 'web').ast).toMatchObject({
      operator: name,
    });
  });

  it('has each name, spelling and method once', () => {
    const names = operatorForms().map(({ name }) => name);
    const spellings = writtenForms().map(({ text }) => text);
    const methods = operatorForms().flatMap((form) => form.methods);
    for (const each of [names, spellings, methods]) expect(new Set(each).size).toBe(each.length);
  });

  it('finds each form by its name, and a negation returns the opposite for absent values', () => {
    for (const form of operatorForms()) {
      expect(formOf(form.name)).toBe(form);
      expect(form.whenAbsent).toBe(form.operator.whenAbsent !== form.negated);
    }
    expect([...new Set(operatorForms().map(({ operator }) => operator))]).toEqual([...operators]);
  });
});
