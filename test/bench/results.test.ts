import { describe, expect, it } from 'vitest';
import type { Measurement } from '../../bench/harness/filtering.js';
import { digits, duration, percent, printReport, printTable } from '../../bench/harness/report.js';
import { printGaps, printMeans, printSlowest, printVariant, toJson } from '../../bench/harness/results.js';

function measured(id: string, competitor: string, ns: number, ratio: number): Measurement {
  return { case: id, variant: 'mono-hot', competitor, ns, ratio, spread: 0.031, ratios: [ratio] };
}

const measurements = [
  measured('E1', 'hand-written', 3.456789, 1),
  measured('E1', 'tamis', 6.9, 2),
  measured('E1', 'sift', 27.6, 8),
  measured('E2', 'hand-written', 5, 1),
  measured('E2', 'tamis', 40, 8),
];

describe('results', () => {
  it('are JSON with a line for each measurement', () => {
    expect(toJson(measurements, 7).slice(0, 2)).toEqual([
      { case: 'E1', variant: 'mono-hot', competitor: 'hand-written', ns: 3.457, ratio: 1, seed: 7 },
      { case: 'E1', variant: 'mono-hot', competitor: 'tamis', ns: 6.9, ratio: 2, seed: 7 },
    ]);
  });

  it('are a table of ratios with their spread', () => {
    expect(printVariant('mono-hot', measurements)).toBe(
      [
        '## mono-hot',
        '',
        'ratio ±spread        E1        E2  mean',
        '-------------  --------  --------  ----',
        'hand-written    3.46 ns   5.00 ns',
        'tamis          2.00 ±3%  8.00 ±3%  4.00',
        'sift           8.00 ±3%         -  8.00',
        '',
      ].join('\n'),
    );
  });

  it('compare a mean over some cases with the first competitor on the same', () => {
    const lines = printMeans(measurements).split('\n');
    expect(lines).toContain('tamis             2/2         4.00');
    expect(lines).toContain('sift              1/2  8.00 (2.00)');
  });

  it('say once why cases are missing', () => {
    const gap = { competitor: 'sift', reason: 'no words' };
    expect(
      printGaps([
        { ...gap, case: 'E2' },
        { ...gap, case: 'E2' },
        { ...gap, case: 'E3' },
      ]),
    ).toBe('Not expressed:\n  E2, E3 sift: no words\n');
    expect(printGaps([])).toBe('');
  });

  it('name the cases with the largest lag of a competitor', () => {
    expect(printSlowest(measurements, 'tamis')).toBe('tamis is slowest on E2 (8.00), E1 (2.00).\n');
    expect(printSlowest(measurements, 'nobody')).toBe('');
  });
});

describe('reports', () => {
  it.each([
    [0, '0'],
    [0.00123, '0.00123'],
    [1.2345, '1.23'],
    [98.76, '98.8'],
    [1234.5, '1235'],
  ])('write %d as %s', (value, text) => {
    expect(digits(value)).toBe(text);
  });

  it.each([
    [0.0000123, '12.3 ns'],
    [0.0123, '12.3 us'],
    [12.3, '12.3 ms'],
    [12_300, '12.3 s'],
  ])('write %d milliseconds as %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it('write shares as whole percent', () => {
    expect(percent(0.034)).toBe('3%');
  });

  it('set the first column flush left and the others flush right', () => {
    expect(printTable(['a', 'bb'], [['long', '1']])).toBe('a     bb\n----  --\nlong   1');
  });

  it('put the notes below the table', () => {
    const report = { title: 'T', header: ['a'], rows: [['1']], notes: ['Note.'] };
    expect(printReport(report)).toBe('## T\n\na\n-\n1\n\nNote.\n');
  });
});
