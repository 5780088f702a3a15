import { describe, expect, it } from 'vitest';
import { clusterCases } from '../../../stress/cluster/cases.js';
import { clusterHelp, readClusterArguments } from '../../../stress/cluster/cluster-arguments.js';

const numbers = (argv: readonly string[]): number[] =>
  readClusterArguments(argv).chosen.map(({ number }) => number);

describe('what the proof of several servers plays', () => {
  it('is everything by default', () => {
    expect(numbers([])).toEqual(clusterCases.map(({ number }) => number));
    expect(new Set(numbers([])).size).toBe(clusterCases.length);
  });

  it('has the cases 1 to 17, whatever else there is', () => {
    expect(numbers(['--only', '1-17'])).toHaveLength(17);
  });

  it.each<[only: string, chosen: readonly number[]]>([
    ['3', [3]],
    ['3,5', [3, 5]],
    ['5, 3', [5, 3]],
    ['3-5', [3, 4, 5]],
  ])('is what is named: %s', (only, chosen) => {
    expect(numbers(['--only', only])).toEqual(chosen);
  });

  it.each<[argv: readonly string[], text: RegExp]>([
    [['--bogus'], /Unknown option '--bogus'/],
    [['--only', '3,99'], /^--only: there is no case "99"\. There are 1, 2, 3/],
    [['--only', 'x'], /^--only: there is no case "x"/],
    [['--kills', '0'], /^--kills must be a whole number from 1$/],
    [['--rows', 'many'], /^--rows must be a whole number from 1$/],
  ])('is refused in words: %j', (argv, text) => {
    expect(() => readClusterArguments(argv)).toThrow(text);
  });

  it('is listed by its help', () => {
    expect(readClusterArguments(['--help']).help).toBe(true);
    for (const { name } of clusterCases) expect(clusterHelp).toContain(name);
  });

  it('is as much as requested', () => {
    const { extent } = readClusterArguments(['--quick', '--kills', '100']);
    expect(extent.kills).toBe(100);
    expect(extent.operations).toBeLessThan(readClusterArguments([]).extent.operations);
  });
});
