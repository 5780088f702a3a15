import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileFilter, FilterSyntaxError, parse } from '../../src/index.js';
import { enableHints } from '../../src/entries/hints.js';
import { diagnose } from '../../src/entries/explain.js';
import { applySuggestion, correct, lint } from '../../src/entries/lint.js';

enableHints();

/** Whether a text has the form of a glob, found out by trying everything. */
function fits(glob: string, text: string): boolean {
  if (glob === '') return text === '';
  const [first = '', rest = ''] = [glob.slice(0, 1), glob.slice(1)];
  if (first !== '*') return text.startsWith(first) && fits(rest, text.slice(1));
  return Array.from({ length: text.length + 1 }, (_, at) => text.slice(at)).some((tail) => fits(rest, tail));
}

/** What a user means by a glob with an operator that is mistaken for one that supports globs. */
const operators = {
  '==': (glob: string, text: string) => fits(glob, text),
  '!=': (glob: string, text: string) => !fits(glob, text),
  contains: (glob: string, text: string) => fits(`*${glob}*`, text),
  'not contains': (glob: string, text: string) => !fits(`*${glob}*`, text),
  'starts with': (glob: string, text: string) => fits(`${glob}*`, text),
  'not ends with': (glob: string, text: string) => !fits(`*${glob}`, text),
} as const;
const operator = fc.constantFrom(...(Object.keys(operators) as (keyof typeof operators)[]));

const glob = fc
  .array(fc.constantFrom('a', 'b', '-', '.', '*'), { minLength: 2, maxLength: 6 })
  .map((parts) => parts.join(''))
  // `.*` is a regular expression's, `*/5` a schedule's.
  .filter((text) => /[^*]/.test(text) && text.includes('*') && !text.includes('.*'));
const text = fc
  .array(fc.constantFrom('a', 'b', '-', '.', 'A'), { maxLength: 6 })
  .map((parts) => parts.join(''));

it('the correction of a glob matches what the glob matches', () => {
  fc.assert(
    fc.property(
      operator,
      glob,
      text,
      fc.constantFrom(0, 1),
      fc.boolean(),
      (name, written, value, level, flag) => {
        const isAffix = name.endsWith('with');
        const ignoreCase = level === 1 && flag;
        const source = `Name ${name} "${written}"${ignoreCase ? 'i' : ''}`;
        if (level === 0 && isAffix) {
          expect(() => parse(source, { level })).toThrow(FilterSyntaxError);
          return;
        }
        const [suggestion] = lint(source, { level }).find(({ code }) => code === 'glob')?.suggestions ?? [];
        expect(suggestion, source).toBeDefined();
        if (suggestion === undefined) return;
        const corrected = applySuggestion(source, suggestion);
        const fold = (each: string): string => (ignoreCase ? each.toLowerCase() : each);
        const matches = compileFilter(corrected, { level }).test({ Name: value });
        expect(matches, `${source} ${corrected} ${value}`).toBe(operators[name](fold(written), fold(value)));
      },
    ),
  );
});

it('suggests the same correction of a glob after == everywhere', () => {
  fc.assert(
    fc.property(fc.constantFrom('==', '!='), glob, fc.constantFrom(0, 1), (sign, written, level) => {
      const source = `Name ${sign} "${written}"`;
      const [suggestion] = lint(source, { level }).find(({ code }) => code === 'glob')?.suggestions ?? [];
      if (suggestion === undefined) throw new Error(`nothing is found in ${source}`);
      const corrected = applySuggestion(source, suggestion);
      // Without its quotes; two signs begin a remark of SQL, and a dot a step of a path.
      if (/^[a-z]/.test(written) && !/--|\./.test(written))
        expect(correct(`Name ${sign} ${written}`, { level })?.source).toBe(corrected);
      if (sign === '!=') return;
      const rows = [{ Name: 'zzzzzzzzzzzzzzzzzzzz' }];
      expect(correct(source, { level, rows })?.source).toBe(corrected);
      const reported = diagnose(source, rows, { level }).suggestion;
      expect(reported === null ? null : applySuggestion(source, reported)).toBe(corrected);
    }),
  );
});
