import { describe, expect, it } from 'vitest';
import type { Measurement } from '../../bench/harness/filtering.js';
import { printSummary } from '../../bench/harness/summary.js';

function measured(id: string, competitor: string, ratio: number, variant = 'mono-hot'): Measurement {
  return { case: id, variant, competitor, ns: 1, ratio, spread: 0, ratios: [ratio] };
}

/** The cells of the line about a figure. */
function lineOf(summary: string, figure: string): string[] | undefined {
  const line = summary.split('\n').find((one) => one.startsWith(`${figure}  `));
  return line
    ?.slice(figure.length)
    .trim()
    .split(/\s{2,}/);
}

describe('the summary', () => {
  it('compares the means with the aims', () => {
    const summary = printSummary(
      [
        measured('E1', 'tamis', 1),
        measured('E2', 'tamis', 1.21),
        measured('E1', 'tamis-closures', 3.5),
        measured('E1', 'tamis-test', 1.2, 'poly-100k'),
      ],
      {},
      7,
    );
    expect(lineOf(summary, 'specialised, mono-hot')).toEqual(['1.10', '1.15']);
    expect(lineOf(summary, 'closures alone, mono-hot')).toEqual(['3.50', '3', 'missed']);
    expect(lineOf(summary, 'filter.test, poly-100k')).toEqual(['1.20', '1.2']);
    expect(summary).toMatch(/Seed: 7\n$/);
  });

  it('reports the figures of scenarios', () => {
    const summary = printSummary([], { 'live 1000': 1.3, 'compile new': 8.5, 'compile known': 6.5 }, 1);
    expect(lineOf(summary, '1,000 live filters of 100 shapes')).toEqual(['1.30', '1.15', 'missed']);
    expect(lineOf(summary, 'parse + compile, new shape')).toEqual(['8.50 us', '9 us']);
    expect(lineOf(summary, 'parse + compile, known shape')).toEqual(['6.50 us', '6 us', 'missed']);
  });

  it('leaves out what was not measured', () => {
    expect(printSummary([], {}, 3)).toBe('Seed: 3\n');
    expect(printSummary([measured('E1', 'tamis', 1)], {}, 3)).not.toContain('closures');
  });

  it('compares the engine with each peer on the cases that the peer can express, and names who is ahead', () => {
    const summary = printSummary(
      [
        measured('E1', 'hand-written', 1),
        measured('E1', 'tamis', 2),
        measured('E2', 'tamis', 1),
        measured('E1', 'sift', 1.6),
        measured('E2', 'sift', 4),
        measured('E1', 'mingo', 1.9),
        measured('E1', 'tamis-test', 0.5),
        measured('E1', 'hand-written alone', 0.4),
      ],
      {},
      1,
    );
    expect(lineOf(summary, 'to the best peer, mean of the worst variant')).toEqual(['1.05', '1', 'missed']);
    expect(lineOf(summary, 'to the best peer, worst case')).toEqual(['1.25', '1.05', 'missed']);
    expect(summary).toContain('Behind mingo in the mean of mono-hot: 1.05');
    expect(summary).toContain('Behind sift in E1 mono-hot: 1.25');
    expect(summary).not.toContain('Behind sift in the mean');
  });
});
