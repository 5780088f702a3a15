import { describe, expect, it } from 'vitest';
import { FilterLimitError, FilterSyntaxError } from '../../src/language/diagnostics/errors.js';
import { defaultLimits, type Limits } from '../../src/language/diagnostics/limits.js';
import { parse } from '../../src/language/parse.js';
import { print } from '../../src/language/syntax/print.js';
import { walk } from '../../src/language/syntax/visit.js';
import { unlimited } from '../support/unlimited.js';

/** `ok`, or the code and the marked source of the refusal. */
function read(text: string, limits: Partial<Limits>): string {
  try {
    parse(text, { limits });
    return 'ok';
  } catch (error) {
    if (!(error instanceof FilterLimitError || error instanceof FilterSyntaxError)) throw error;
    return `${error.code} at ${error.span.start}`;
  }
}

describe('limits', () => {
  it.each<[text: string, limits: Partial<Limits>, result: string]>([
    ['a == 1', { maxLength: 6 }, 'ok'],
    ['a == 1 ', { maxLength: 6 }, 'too-long at 6'],
    ['((a == 1))', { maxDepth: 2 }, 'ok'],
    ['((a == 1))', { maxDepth: 1 }, 'too-deep at 1'],
    ['(a == 1) and (b == 2)', { maxDepth: 1 }, 'ok'],
    ['not (a == 1)', { maxDepth: 1 }, 'too-deep at 4'],
    ['not not a == 1', { maxDepth: 2 }, 'ok'],
    ['not not a == 1', { maxDepth: 1 }, 'too-deep at 4'],
    ['not a == 1 and not b == 2', { maxDepth: 1 }, 'ok'],
    ['not a == not and a not in b', { maxDepth: 1 }, 'ok'],
    ['(not a == 1 or (b == 2)) and (not (c == 3))', { maxDepth: 2 }, 'too-deep at 34'],
    ['any L as x { any x as y { y == z } }', { maxDepth: 2 }, 'ok'],
    ['any L as x { any x as y { y == z } }', { maxDepth: 1 }, 'too-deep at 24'],
    ['a == "((((" and b == `{{{`', { maxDepth: 0.5 }, 'ok'],
    ['a == 1 and b == 2', { maxTerms: 2 }, 'ok'],
    ['a == 1 and b == 2', { maxTerms: 1 }, 'too-many-terms at 11'],
    ['any L as x { x == y }', { maxTerms: 2 }, 'ok'],
    ['any L as x { x == y }', { maxTerms: 1 }, 'too-many-terms at 13'],
    ['(((', { maxDepth: 3 }, 'no-match at 3'],
    [')))', { maxDepth: 0.5 }, 'no-match at 0'],
  ])('%s within %j: %s', (text, limits, result) => {
    expect(read(text, limits)).toBe(result);
  });

  it('carry the bound that was exceeded', () => {
    const error = ((): unknown => {
      try {
        return parse('a == 1 or b == 2', { limits: { maxTerms: 1 } });
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(FilterLimitError);
    expect(error).toMatchObject({
      limit: 1,
      message: '1:11: the expression has more than 1 terms',
      goMessage: 'the expression has more than 1 terms',
      source: 'a == 1 or b == 2',
    });
  });

  it('have defaults', () => {
    const { maxLength, maxDepth, maxTerms } = defaultLimits;
    expect(read(`a == "${'x'.repeat(maxLength)}"`, {})).toBe(`too-long at ${maxLength}`);
    expect(read(`${'('.repeat(maxDepth)}a == 1${')'.repeat(maxDepth)}`, {})).toBe('ok');
    expect(read(`${'('.repeat(maxDepth + 1)}a == 1`, {})).toBe(`too-deep at ${maxDepth}`);
    expect(read(Array(maxTerms).fill('a == 1').join(' or '), {})).toBe('ok');
    expect(
      read(
        Array(maxTerms + 1)
          .fill('a == 1')
          .join(' or '),
        {},
      ),
    ).toMatch(/^too-many-terms/);
  });

  it.each([{ maxDepth: -1 }, { maxTerms: NaN }, { maxLength: '5' as unknown as number }])(
    'are no %j',
    (limits) => {
      expect(() => parse('a == 1', { limits })).toThrow(TypeError);
    },
  );
});

// Sizes far beyond what a request can bring. Each must end, in the way that is said here, within the test's time.
describe('hostile texts', () => {
  const million = 1_000_000;

  it.each<[name: string, text: string, result: RegExp]>([
    ['parentheses', '('.repeat(100_000), /^too-deep/],
    ['parentheses around a match', `${'('.repeat(100_000)}a == 1${')'.repeat(100_000)}`, /^too-deep/],
    ['collections', 'any L as x { '.repeat(100_000), /^too-deep/],
    ['a right spine', 'a == 1 and ('.repeat(100_000), /^too-deep/],
    ['negations', `${'not '.repeat(million)}a == 1`, /^ok/],
    ['negations of nothing', 'not '.repeat(million), /^no-match/],
    ['negations that abandon a reading', `(${'not '.repeat(million)}in )`, /^no-match|^invalid-selector/],
    ['words that could begin collections', 'any in '.repeat(200_000), /^no-match/],
    ['terms', Array(100_000).fill('a == 1').join(' or '), /^ok/],
    ['parts', `a${'.b'.repeat(200_000)} == 1`, /^ok/],
    ['a name', 'a'.repeat(10 * million), /^no-match/],
    ['a literal', `a == "${'x'.repeat(10 * million)}"`, /^ok/],
    ['an open literal', `a == "${'\\"'.repeat(million)}`, /^unterminated-string/],
    ['escapes', `a == "${'\\xff'.repeat(million)}"`, /^ok/],
    ['a pointer', `"${'/a'.repeat(million)}" == 1`, /^ok/],
    ['blanks', ' '.repeat(10 * million), /^no-match/],
    ['dots and blanks', '. '.repeat(200_000), /^no-match/],
    ['a dot and blanks', `a.${' '.repeat(million)}`, /^no-match/],
    ['signs', '='.repeat(million), /^no-match/],
    ['quotes', '"'.repeat(million), /^no-match/],
    ['line feeds', `${'\n'.repeat(million)}a = 1`, /^no-match/],
    ['a value that goes on', `a == ${'b'.repeat(million)}-${'c'.repeat(million)}`, /^no-match/],
  ])('%s', (_, text, result) => {
    expect(read(text, unlimited)).toMatch(result);
    if (text.length > defaultLimits.maxLength) expect(read(text, {})).toMatch(/^too-long/);
  });

  it('are explained in a few lines', () => {
    try {
      parse(`a == ${'b'.repeat(million)}-${'c'.repeat(million)}`, { limits: unlimited });
      expect.unreachable();
    } catch (error) {
      expect(String(error).length).toBeLessThan(1_000);
    }
  });

  it('leave the parser fit for the next text', () => {
    expect(read('('.repeat(100_000), unlimited)).toMatch(/^too-deep/);
    expect(read('(a == 1)', {})).toBe('ok');
  });

  it('of any length that is read can be printed and walked', () => {
    const { ast } = parse(`${'(not '.repeat(300)}a == 1${')'.repeat(300)} and b == 2`, { limits: unlimited });
    let count = 0;
    walk(ast, { enter: () => void (count += 1) });
    expect(count).toBe(3);
    expect(print(ast)).toBe('a == 1 and b == 2');
  });
});
