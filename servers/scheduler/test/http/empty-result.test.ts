import fc from 'fast-check';
import { defineSchema, planFilter, print, t, type Filter } from 'tamis';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent.js';
import { explainEmpty } from 'tamis/query';
import type { EmptyExplanation, ScanExplanation } from '../../src/http/lists/told-bodies.js';
import { createAclCluster } from '../support/acl-cluster.js';
import { createBaseAgent, minimalJob } from '../support/base-cluster.js';
import { ask, withQuery, type TestAnswer } from '../support/test-agent.js';

let agent: Agent;
beforeAll(async () => {
  agent = await createBaseAgent();
  const secret = minimalJob('secret', {
    Type: 'batch',
    Priority: 20,
    Periodic: { Enabled: true, SpecType: 'cron', Spec: '@daily' },
  });
  const put = await ask(agent, '/v1/jobs', { method: 'PUT', body: { Job: secret } });
  expect(put.status, put.text).toBe(200);
});

function emptyOf(answer: TestAnswer): EmptyExplanation | null {
  expect(answer.status, answer.text).toBe(200);
  return (answer.json() as ScanExplanation).Empty;
}

async function explain(path: string, query: Readonly<Record<string, string>>): Promise<unknown> {
  return emptyOf(await ask(agent, withQuery(path, { explain: 'true', ...query })));
}

describe('an empty list, explained', () => {
  it('tells the clause that keeps all rows out, what they have there, and what was meant', async () => {
    expect(await explain('/v1/jobs', { filter: 'Type == "servic" and Priority == 50' })).toEqual({
      Clauses: [
        {
          Filter: 'Type == "servic"',
          Values: [{ Text: '"service"', Count: 2 }],
          HasMoreValues: false,
          Range: null,
          Instead: 'Type == "service"',
        },
      ],
      RowsWithout: 2,
      RowsExamined: 4,
      IsPartial: false,
    });
  });

  it.each<[path: string, query: Record<string, string>, told: object | null]>([
    ['/v1/jobs', { filter: 'Priority > 90' }, { Clauses: [{ Range: { Least: '20', Greatest: '70' } }] }],
    [
      '/v1/jobs',
      { filter: 'Type == batch and Priority == 50 and Name != x' },
      { Clauses: [{ Filter: 'Type == "batch"' }], RowsWithout: 2 },
    ],
    [
      '/v1/jobs',
      { filter: 'Type == nosuch and Priority == 50 and Status == nosuch' },
      { Clauses: [{ Filter: 'Type == "nosuch"' }, { Filter: 'Status == "nosuch"' }], RowsWithout: 2 },
    ],
    ['/v1/jobs', { filter: 'Type == nosuch', sort: '-Name', per_page: '2' }, { RowsWithout: 4 }],
    ['/v1/jobs', { filter: 'Type == nosuch', namespace: 'nowhere' }, { Clauses: [], RowsExamined: 0 }],
    ['/v1/jobs', { filter: 'Type == service' }, null],
    ['/v1/jobs', { namespace: 'nowhere' }, null],
    ['/v1/jobs', { filter: 'Type == service', next_token: 'default.zzz' }, null],
    [
      '/v1/nodes',
      { filter: 'Attributes["kernel.nam"] == linux' },
      { Clauses: [{ Instead: 'Attributes["kernel.name"] == "linux"' }] },
    ],
    // Who may list jobs may not always read their timetables.
    [
      '/v1/jobs',
      { filter: 'Priority == 20 and Periodic.Spec == "@hourly"' },
      { Clauses: [{ Filter: 'Periodic.Spec == "@hourly"', Values: [], Range: null, Instead: null }] },
    ],
  ])('%s %j', async (path, query, told) => {
    const empty = await explain(path, query);
    if (told === null) expect(empty).toBeNull();
    else expect(empty).toMatchObject(told);
  });

  it('tells nothing of rows that the caller may not see', async () => {
    const { askAs } = await createAclCluster();
    const query = { explain: 'true', namespace: '*', filter: 'Name == "delt"' };
    const path = withQuery('/v1/jobs', query);
    expect(emptyOf(await askAs('mgmt', path))).toMatchObject({
      RowsExamined: 2,
      Clauses: [{ Instead: 'Name == "delta"' }],
    });
    const own = await askAs('ns_read', path);
    expect(emptyOf(own)).toMatchObject({
      RowsExamined: 1,
      Clauses: [{ Values: [{ Text: '"alpha"', Count: 1 }], Instead: null }],
    });
    expect(own.text).not.toContain('delta');
  });
});

interface Row {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: { readonly x: boolean } | null;
}
const schema = defineSchema({ a: t.int, b: t.int, c: t.int, d: t.nullable(t.struct({ x: t.bool })) });
const clauseTexts = ['a == 0', 'b == 0', 'c == 0', 'a != @b', 'd.x == true'] as const;

/** The clauses of a set, all sets of a size together. */
function subsets(count: number, size: number): readonly (readonly number[])[] {
  const all = Array.from({ length: 2 ** count }, (_, bits) =>
    Array.from({ length: count }, (_each, at) => at).filter((at) => (bits & (1 << at)) !== 0),
  );
  return all.filter(({ length }) => length === size);
}

function holds(clause: Filter<Row>, row: Row): boolean {
  try {
    return clause.test(row);
  } catch {
    return false;
  }
}

describe('the clauses to blame', () => {
  it('are a smallest set without which rows match, and no other of that size has more', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            a: fc.nat({ max: 2 }),
            b: fc.nat({ max: 2 }),
            c: fc.nat({ max: 2 }),
            d: fc.constantFrom(null, { x: true }, { x: false }),
          }),
          { maxLength: 30 },
        ),
        fc.uniqueArray(fc.constantFrom(...clauseTexts), { minLength: 1 }),
        (rows, texts) => {
          const { clauses } = planFilter<Row>(texts.join(' and '), { schema, indexes: [] });
          const printed = clauses.map(({ ast }) => print(ast));
          const left = rows.filter((row) => !clauses.every((clause) => holds(clause, row)));
          const pieces = [{ rows: left, from: 0, to: left.length }];
          const options = { schema, unresolved: 'error' } as const;
          const work = explainEmpty({ clauses, pieces, where: null, options });
          let step = work.next();
          while (step.done !== true) step = work.next();
          const told = step.value;
          expect(told).toMatchObject({ examined: left.length, isPartial: false });
          const without = (set: readonly number[]): number =>
            left.filter((row) => clauses.every((clause, at) => set.includes(at) || holds(clause, row)))
              .length;
          const size = [0, 1, 2, 3, 4, 5].find((each) =>
            subsets(clauses.length, each).some((set) => without(set) > 0),
          );
          const found = told.clauses.map(({ filter: text }) => printed.indexOf(text));
          expect(found).toHaveLength(size ?? 0);
          if (size === undefined) return;
          expect(told.rowsWithout).toBe(without(found));
          expect(told.rowsWithout).toBe(Math.max(...subsets(clauses.length, size).map(without)));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('are looked for in as many rows as a million questions allow', () => {
    const row: Row = { a: 1, b: 1, c: 1, d: null };
    const { clauses } = planFilter<Row>('a == 0 and b == 0', { schema, indexes: [] });
    const rows = Array.from({ length: 500_001 }, () => row);
    const pieces = [{ rows, from: 0, to: rows.length }];
    const work = explainEmpty({ clauses, pieces, where: null, options: { schema, unresolved: 'error' } });
    let step = work.next();
    while (step.done !== true) step = work.next();
    expect(step.value).toMatchObject({ examined: 500_000, isPartial: true });
  });
});
