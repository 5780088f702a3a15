import { describe, expect, it } from 'vitest';
import { CaseListError, readCases } from './case-list.js';
import { judge, readReport } from './test-results.js';

const reported = { id: 'A01', prio: 'P0', given: 'a server', when: 'asked', then: 'it answers' };

describe('the cases described in prose', () => {
  it('are read from their file', () => {
    const file = JSON.stringify({ version: 1, cases: [reported] });
    expect(readCases(file)).toEqual([
      { id: 'A01', priority: 'P0', given: 'a server', when: 'asked', then: 'it answers' },
    ]);
  });

  it.each([
    ['', 'the file has no list `cases`'],
    ['cases: 3', 'the file has no list `cases`'],
    ['cases: [{}]', 'case 1 has no id'],
    [JSON.stringify({ cases: [reported, reported] }), 'case A01 is there twice'],
  ])('are refused when the file is %o', (text, message) => {
    expect(() => readCases(text)).toThrow(new CaseListError(message));
  });

  const report = readReport(
    JSON.stringify({
      testResults: [
        {
          assertionResults: [
            { fullName: 'login answers (A01)', status: 'passed', failureMessages: [] },
            { fullName: 'login A02 A03: refuses', status: 'passed' },
            { fullName: 'login A03 again', status: 'failed', failureMessages: ['no'] },
            { fullName: 'login A04 later', status: 'skipped' },
            { fullName: 'login A055', status: 'passed' },
          ],
        },
      ],
    }),
  );

  it.each([
    ['A01', 'passed'],
    ['A02', 'passed'],
    ['A03', 'failed'],
    ['A04', 'failed'],
    ['A05', 'untested'],
  ])('go by the tests that carry their id: %s %s', (id, kind) => {
    expect(judge(id, report).kind).toBe(kind);
  });
});
