import { describe, expect, it } from 'vitest';
import { compileFilter, defineSchema, t } from '../../src/index.js';
import { diagnose } from '../../src/entries/explain.js';
import { applySuggestion } from '../../src/entries/lint.js';

const rows = Array.from({ length: 16 }, (_, index) => ({
  Status: index % 4 === 0 ? 'pending' : 'running',
  N: index,
  Meta: index % 2 === 1 ? { team: 'a', owner: 'bo' } : {},
  Datacenters: ['dc1', `dc${index % 3}`],
  Groups: [{ Name: 'web' }, { Name: `api${index % 2}` }],
}));

type Row = readonly [text: string, line: string];

const lines: readonly Row[] = [
  [
    'Status == "runing"',
    'Status == "runing" matches none of 16 rows; there are "running" (12), "pending" (4). Did you mean "running"?',
  ],
  [
    'Status == running and Meta.team == "b"',
    'Meta.team == "b" matches none of 16 rows, though 12 would match without it; there are "a" (8), absent (4).',
  ],
  [
    'Status == pending and Meta.team == a',
    'the rest matches 8 of 16 rows, but Status == pending does not; there are "running" (8).',
  ],
  [
    'any Groups as g { g.Name == "wbe" }',
    'any Groups as g { g.Name == "wbe" } matches none of 16 rows; there are "web" (16), "api0" (8), "api1" (8). Did you mean "web"?',
  ],
  [
    'ownr in Meta',
    'ownr in Meta matches none of 16 rows; there are "owner" (8), "team" (8). Did you mean "owner"?',
  ],
  ['Nope == 1', 'Nope == 1 fails for each of 16 rows (this row has no such key).'],
  ['N == 99', 'N == 99 matches none of 16 rows; there are 0 (1), 1 (1), 10 (1), 11 (1), 12 (1), ….'],
  ['Datacenters is empty', 'Datacenters is empty matches none of 16 rows; there are a list (16).'],
  [
    'not Status matches "n"',
    'not Status matches "n" matches none of 16 rows; there are "running" (12), "pending" (4).',
  ],
  ['Status == running', ''],
];

describe('diagnose', () => {
  it.each(lines)('says of %s: %s', (text, line) => expect(String(diagnose(text, rows))).toBe(line));

  it('counts what each clause lets through, and what would match without it', () => {
    const { clauses, blockingClause, matched } = diagnose(
      'Status == pending and N != 0 and "dc9" in Datacenters',
      rows,
    );
    expect(
      clauses.map(({ alone, surviving, withoutIt, failed }) => [alone, surviving, withoutIt, failed]),
    ).toEqual([
      [4, 4, 0, 0],
      [15, 3, 0, 0],
      [0, 0, 3, 0],
    ]);
    expect([blockingClause, matched]).toEqual([2, 0]);
  });

  it('blames the clause after which no rows remain when several share the blame', () => {
    const mixed = [
      { a: 1, b: 0, c: 0 },
      { a: 1, b: 0, c: 0 },
      { a: 0, b: 1, c: 0 },
      { a: 0, b: 0, c: 1 },
    ];
    const found = diagnose('a == 1 and b == 1 and c == 1', mixed);
    expect(found.blockingClause).toBe(1);
    expect(String(found)).toBe(
      '2 of 4 rows are left in front of b == 1, none after it; there are 0 (3), 1 (1).',
    );
  });

  it('offers a value that makes rows match', () => {
    for (const text of [
      'Status == "runing" and N == 3',
      'Meta.team == "A" and N == 1',
      '"DC1" in Datacenters',
    ]) {
      const { suggestion } = diagnose(text, rows);
      expect(suggestion).not.toBeNull();
      if (suggestion === null) continue;
      expect(compileFilter(applySuggestion(text, suggestion)).count(rows)).toBeGreaterThan(0);
    }
  });

  it('offers the pattern of a glob at level 0', () => {
    const offered = (level: 0 | 1): string | undefined =>
      diagnose('Name == "web-*"', [{ Name: 'web-1' }], { level }).suggestion?.replacement;
    expect([offered(1), offered(0)]).toEqual(['like "web-*"', 'matches "^web-"']);
  });

  it('offers none for what is not looked for', () => {
    expect(diagnose('Status != running and Status == running', rows).suggestion).toBeNull();
    expect(diagnose('Status matches "runing"', rows).suggestion).toBeNull();
  });

  it('blames no clause if there are no rows', () => {
    expect(diagnose('a == 1', [])).toMatchObject({ rows: 0, blockingClause: null, matched: 0 });
  });

  it('looks at no more rows, evaluations and values than it may', () => {
    let taken = 0;
    function* endless(): Generator<object> {
      for (;;) yield { a: (taken += 1) };
    }
    expect(diagnose('a == 0', endless(), { maxRows: 50 })).toMatchObject({ rows: 50, isPartial: true });
    expect(taken).toBe(51);
    expect(diagnose('a == 0 and a == 0', endless(), { maxEvaluations: 60 }).rows).toBe(30);
    const few = diagnose('a == 0', endless(), { maxRows: 50, maxValues: 7 });
    expect(few).toMatchObject({ hasMoreValues: true, values: { length: 7 } });
    expect(
      diagnose('x in L', [{ L: Array.from({ length: 100_000 }, (_, i) => `v${i}`) }]).values.length,
    ).toBe(100);
    for (const wrong of [0, -1, NaN, '5']) {
      expect(() => diagnose('a == 1', [], { maxRows: wrong as number })).toThrow(TypeError);
    }
  });

  it('knows the zero values of a schema', () => {
    const schema = defineSchema({ Status: t.string, N: t.int });
    expect(String(diagnose('Status == x', [{}, { Status: 'y' }], { schema }))).toBe(
      'Status == x matches none of 2 rows; there are "" (1), "y" (1).',
    );
  });
});
