import { describe, expect, it } from 'vitest';
import { suggestNames } from '../../src/diagnostics/suggest.js';

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
});
