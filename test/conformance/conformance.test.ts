import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Answer, Case } from '../../conformance/src/data.mjs';
import { createTamisAnswers, tamisProgram } from '../../conformance/drivers/tamis-answers.mjs';
import { judge, readSuite } from '../../conformance/src/index.mjs';
import { printFailure } from './command.js';
import { engine, reportOf } from './engine.js';

const suite = readSuite();
const { counts, skips, failures } = reportOf(suite);

describe('conformance with go-bexpr and with the page of the language', () => {
  it('has no failure', () => {
    expect(failures.slice(0, 20).map(printFailure)).toEqual([]);
    expect(counts.failed).toBe(0);
  });

  it('leaves out numbers that do not exist in JavaScript, and nothing else', () => {
    expect([...skips]).toEqual([['number', counts.skipped]]);
    expect(counts.passed + counts.skipped).toBe(suite.cases.length);
    expect(suite.cases.length).toBeGreaterThan(24_000);
  });

  it('agrees where integers of no declared kind are exact too, but for numbers that are compared as written', () => {
    const result = createTamisAnswers(engine, suite.schemas.structs, 'exact');
    const program = { ...tamisProgram('exact'), numbers: 'exact' } as const;
    const requests = suite.cases.filter(
      ({ row, schema, anyNumber }) => row !== undefined && (schema === undefined || anyNumber === true),
    );
    const wrong = requests.filter((each) => judge(each, result(each), program).kind === 'failed');
    // A bigint has no digits of its own, and 1e400 is no number of JavaScript.
    const asWritten = ({ expression, answer: { class: code } }: Case): boolean =>
      code === 'json-number' || /\b(in|contains)\b/.test(expression);
    expect(wrong.filter((each) => !asWritten(each)).map(({ id }) => id)).toEqual([]);
    expect(wrong.length).toBeLessThan(40);
    expect(requests.length).toBeGreaterThan(4_000);
  });

  it('has one result for a filter that both dialects read alike', () => {
    const query = ({ expression, schema, row, unknown }: Case): string =>
      JSON.stringify([expression, schema, row, unknown]);
    const recorded = new Map(
      suite.cases.filter(({ source }) => source.startsWith('go-bexpr')).map((each) => [query(each), each]),
    );
    const twins = suite.cases.flatMap((each) => {
      const twin = each.dialect === 'standard' && each.row !== undefined && recorded.get(query(each));
      return twin !== undefined && twin !== false && isReadAlike(each.expression)
        ? [[each, twin] as const]
        : [];
    });
    expect(twins.length).toBeGreaterThan(100);
    // Filters rejected before the first row are not evaluated; the words are the library's own.
    const essence = ({ value, error, class: code }: Answer): unknown => [value, error, code];
    const differ = twins.filter(
      ([ours, { answer: result }]) =>
        ours.answer.error !== 'check' && !isDeepStrictEqual(essence(ours.answer), essence(result)),
    );
    expect(differ.map(([{ id }, twin]) => [id, twin.id])).toEqual([]);
  });
});

function isReadAlike(expression: string): boolean {
  try {
    const read = engine.parse(expression, { dialect: 'go-bexpr' }).ast;
    return isDeepStrictEqual(read, engine.parse(expression).ast);
  } catch (error) {
    if (error instanceof engine.FilterError) return false;
    throw error;
  }
}
