import { describe, expect, it } from 'vitest';
import { hostileRequests } from '../../stress/hostile-requests.js';
import { readStallsArguments } from '../../stress/stalls-arguments.js';

const names = (argv: readonly string[]): string[] => readStallsArguments(argv).chosen.map(({ name }) => name);

describe('what the search for stalls runs', () => {
  it('is everything by default', () => {
    expect(names([])).toEqual(hostileRequests.map(({ name }) => name));
  });

  it.each<[only: string, chosen: readonly string[]]>([
    ['filter of 60', ['filter of 60 kB']],
    ['filter of', ['filter of 60 kB', 'the same filter of 990 terms 90 times']],
    ['their placement', ['register 700 groups to be placed', 'their placement']],
    ['drain', ['register 700 groups to be placed', 'their placement', 'drain of their node']],
    ['payload', ['dispatch with 200,000 keys', 'dispatch with a payload of 3 MB']],
    [
      'their Meta',
      ['register one value of 3 MB', 'register one value of 3 MB, again', 'list with their Meta'],
    ],
  ])('is what is named and what that needs: %s', (only, chosen) => {
    expect(names(['--only', only])).toEqual(chosen);
  });

  it('needs nothing that is not there before', () => {
    const known = new Set<string>();
    for (const { name, needs = [] } of hostileRequests) {
      expect(needs.filter((each) => !known.has(each))).toEqual([]);
      expect(known).not.toContain(name);
      known.add(name);
    }
  });

  it.each<[argv: readonly string[], text: RegExp]>([
    [['--bogus'], /Unknown option '--bogus'/],
    [['--only', 'nothing of this name'], /^No request has "nothing of this name" in its name\. There are\n/],
    [['--rows', '0'], /^--rows must be a whole number from 1$/],
    [['--minutes', 'long'], /^--minutes must be a number from 0$/],
  ])('is refused in words: %j', (argv, text) => {
    expect(() => readStallsArguments(argv)).toThrow(text);
  });

  it('may be selected', () => {
    expect(readStallsArguments(['--help']).help).toBe(true);
  });
});
