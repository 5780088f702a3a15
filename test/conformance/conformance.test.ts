import { describe, expect, it } from 'vitest';
import { readSuite } from '../../conformance/src/index.mjs';
import { showFailure } from './command.js';
import { reportOf } from './engine.js';

const suite = readSuite();
const { counts, skips, failures } = reportOf(suite);

describe('conformance with go-bexpr and with the page of the language', () => {
  it('has no failure', () => {
    expect(failures.slice(0, 20).map(showFailure)).toEqual([]);
    expect(counts.failed).toBe(0);
  });

  it('leaves out numbers that do not exist in JavaScript, and nothing else', () => {
    expect([...skips]).toEqual([['number', counts.skipped]]);
    expect(counts.passed + counts.skipped).toBe(suite.cases.length);
    expect(suite.cases.length).toBeGreaterThan(24_000);
  });
});
