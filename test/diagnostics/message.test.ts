import { describe, expect, it } from 'vitest';
import { check, compileFilter, defineSchema, FilterError, t } from '../../src/index.js';

const schema = defineSchema({ Status: t.string, Priority: t.int, Tags: t.list(t.string) });

function refusalOf(run: () => unknown): FilterError {
  try {
    run();
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('FilterError.message', () => {
  it.each([
    ['Status = "running"', '1:8: expected an operator such as == or in, found "=". Use == for equality.'],
    ['Stauts == "running"', '1:1: Stauts: there is no such field. Did you mean Status?'],
    ['Priority == high', '1:13: high is not an int. Write a whole number, such as 50.'],
    ['Tags == x', /^1:1: Tags is a list\. /],
  ])('of %s states position, mistake and hint in one line', (source, message) => {
    const error = refusalOf(() => compileFilter(source, { schema }));
    if (typeof message === 'string') expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
    expect(error.toJSON()).toMatchObject({ message: error.message, goMessage: error.goMessage });
  });

  it('of a row leaves out a hint that takes a search, which `hint` still has', () => {
    const error = refusalOf(() => compileFilter('Stauts == x').test({ Status: 'x' }));
    expect(error.message).toBe('1:1: Stauts: this row has no such key');
    expect(error.goMessage).toBe(
      'error finding value in datum: /Stauts at part 0: couldn\'t find key "Stauts"',
    );
    expect(error.hint).toContain('Status');
  });

  it('is bounded and has no control characters', () => {
    const error = refusalOf(() => compileFilter(`"${'x\\n\n\u001b[31m'.repeat(400)}`));
    expect(error.message.length).toBeLessThan(700);
    expect(error.message).not.toMatch(/\p{Cc}/u);
  });

  it('is the same in the findings of `check` and of the error', () => {
    const error = refusalOf(() => compileFilter('Stauts == a and Tgas == b', { schema }));
    const found = check('Stauts == a and Tgas == b', { schema });
    expect(error).toMatchObject({ diagnostics: found, message: found[0]?.message });
    expect(found[1]?.message).toBe('1:17: Tgas: there is no such field. Did you mean Tags?');
  });
});

it('toString() prints each sentence once, with the source line and the hint below', () => {
  expect(String(refusalOf(() => compileFilter('Stauts == a and Tgas == b', { schema })))).toBe(
    [
      'FilterCheckError: 1:1: Stauts: there is no such field',
      '  1 | Stauts == a and Tgas == b',
      '    | ^^^^^^',
      '  hint: did you mean Status?',
      '1:17: Tgas: there is no such field',
      '  1 | Stauts == a and Tgas == b',
      '    |                 ^^^^',
      '  hint: did you mean Tags?',
    ].join('\n'),
  );
});

it('names a field in brackets without further quotes', () => {
  const filter = compileFilter('["First Name"] == Ann', {
    schema: defineSchema({ 'First Name': t.nullable(t.string) }),
  });
  expect(() => filter.test({ 'First Name': null })).toThrow(/^1:1: \["First Name"\] is null\./);
});
