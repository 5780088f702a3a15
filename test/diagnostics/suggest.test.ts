import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggestNames } from '../../src/language/diagnostics/suggest.js';

const fields = [
  'ID',
  'Name',
  'Namespace',
  'NodeClass',
  'NodePool',
  'Status',
  'StatusDescription',
  'Type',
  'Priority',
];

describe('suggestNames', () => {
  it.each<[written: string, suggested: string[]]>([
    ['status', ['Status', 'StatusDescription']],
    ['Statsu', ['Status']],
    ['Satus', ['Status']],
    ['Statuus', ['Status']],
    ['Ztatus', ['Status']],
    ['id', ['ID']],
    ['Nam', ['Name', 'Namespace']],
    ['NodeClas', ['NodeClass']],
    ['Nodepol', ['NodePool']],
    ['Prio', ['Priority']],
    ['Pr', []],
    ['x', []],
    ['Banana', []],
    ['', []],
  ])('for %j are %j', (written, suggested) => {
    expect(suggestNames(written, fields)).toEqual(suggested);
  });

  it('are the nearest first, at most three', () => {
    expect(suggestNames('abcdef', ['abcdef1', 'abcdexx', 'ABCDEF', 'abcdfe', 'bacdef', 'zzz'])).toEqual([
      'ABCDEF',
      'abcdef1',
      'abcdfe',
    ]);
    expect(suggestNames('abcdef', ['abcdef1', 'ABCDEF'], 1)).toEqual(['ABCDEF']);
  });

  it('do not measure names of any length', () => {
    const long = 'x'.repeat(100_000);
    expect(suggestNames(long, [`${long}y`, 'x', long])).toEqual([long]);
  });

  it('are those that a table of distances finds', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ß'), maxLength: 31 });
    fc.assert(
      fc.property(name, fc.uniqueArray(name, { maxLength: 8 }), (written, candidates) => {
        const expected = candidates
          .flatMap((candidate) => {
            const score = scoreOf(written, candidate);
            return score === null ? [] : [{ candidate, score }];
          })
          .sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
        expect(suggestNames(written, candidates, 8)).toEqual(expected.map(({ candidate }) => candidate));
      }),
    );
  });

  it('are found in long names too, with adjacent slips', () => {
    const long = 'a_name_that_is_longer_than_one_word_of_the_machine';
    expect(suggestNames(long.replace('longer', 'lnogr'), [long, 'another_name'])).toEqual([long]);
  });

  it('are no more once the effort is used up', () => {
    const effort = { left: 40 };
    expect(suggestNames('Statsu', fields, 3, effort)).toEqual(['Status']);
    expect(effort.left).toBeLessThanOrEqual(0);
    expect(suggestNames('Statsu', fields, 3, effort)).toEqual([]);
  });
});

/** As the documentation says it. */
function scoreOf(written: string, candidate: string): number | null {
  if (written === candidate) return 0;
  const allowance = Math.floor(Math.max(written.length, candidate.length) / 3);
  const distance = distanceOf(written, candidate);
  if (distance <= allowance) return distance;
  const isBegun = written.length >= 3 && candidate.startsWith(written);
  return isBegun ? allowance + candidate.length - written.length : null;
}

function distanceOf(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const isExchange = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
          isExchange ? at(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
