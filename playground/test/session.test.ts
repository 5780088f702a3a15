import { describe, expect, it } from 'vitest';
import type { Dataset, Outcome, ScanState } from '../src/protocol.js';
import { createSession, type Session } from '../src/worker/session.js';

interface World {
  readonly session: Session;
  readonly reports: ScanState[];
  /** Every look at the clock moves it on by so many milliseconds. */
  tick: number;
}

function createWorld(pause: () => Promise<void> = () => Promise.resolve()): World {
  const reports: ScanState[] = [];
  let clock = 0;
  const world: World = {
    tick: 0,
    reports,
    session: createSession({
      now: () => (clock += world.tick),
      pause,
      report: (state) => reports.push(state),
    }),
  };
  return world;
}

const rows = Array.from({ length: 100 }, (_, index) => ({ id: `row-${index}`, n: index }));
const load = async (session: Session, from: readonly object[] = rows): Promise<Outcome<Dataset> | null> =>
  session.load({ kind: 'text', name: 'rows', text: JSON.stringify(from) });

describe('a session', () => {
  it('keeps the rows and describes them', async () => {
    const { session } = createWorld();
    expect(await load(session)).toMatchObject({
      ok: true,
      value: {
        format: 'json',
        rows: 100,
        columns: [{ name: 'id' }, { name: 'n', isNumeric: true }],
        problemCount: 0,
      },
    });
    expect(await session.rows('all', 98, 10)).toHaveLength(2);
  });

  it('keeps the latest requested rows, and rejects files that are not UTF-8', async () => {
    const { session } = createWorld();
    const file = new File(['{"a":1}\n{"a":2}'], 'a.ndjson');
    const older = session.load({ kind: 'file', file });
    const newer = load(session);
    expect(await older).toBeNull();
    expect(await newer).toMatchObject({ value: { rows: 100 } });
    const latin = new File([Uint8Array.of(0x61, 0x0a, 0xe9)], 'latin.csv');
    expect(await session.load({ kind: 'file', file: latin })).toMatchObject({
      ok: false,
      problem: { message: 'the file is not UTF-8' },
    });
    expect(await session.run('n == 1')).toMatchObject({ matched: 1 });
  });

  it('evaluates a filter, and lists the rows that match', async () => {
    const { session } = createWorld();
    await load(session);
    expect(await session.run('n >= 95 and n != 97')).toMatchObject({
      matched: 4,
      scanned: 100,
      failed: 0,
      isDone: true,
    });
    const listed = await session.rows('matching', 0, 10);
    expect(listed.map(({ index, state }) => [index, state])).toEqual(
      [95, 96, 98, 99].map((index) => [index, 'match']),
    );
    expect((await session.rows('all', 0, 1))[0]?.state).toBe('miss');
    expect(await session.run('')).toMatchObject({ matched: 100 });
    expect(await session.rows('matching', 0, 500)).toHaveLength(100);
  });

  it('rejects an invalid filter, and keeps the previous result', async () => {
    const { session } = createWorld();
    await load(session);
    await session.run('n == 1');
    expect(await session.run('n ==')).toBe(false);
    expect(await session.run('m == 1')).toBe(false);
    expect(await session.rows('matching', 0, 10)).toHaveLength(1);
  });

  it('marks rows that fail, and goes on', async () => {
    const { session } = createWorld();
    await load(session, [{ a: 1 }, { a: {} }, { b: 1 }, { a: 1 }]);
    await session.setSchema(null);
    const outcome = await session.run('a == 1');
    expect(outcome).toMatchObject({ matched: 2, failed: 2, isDone: true, failure: { row: 1 } });
    expect((await session.rows('failed', 0, 9)).map(({ index }) => index)).toEqual([1, 2]);
  });

  it('lets a newer filter end an older one, reports on the way and can be stopped', async () => {
    const gates: (() => void)[] = [];
    const world = createWorld(() => new Promise((resolve) => gates.push(resolve)));
    const { session, reports } = world;
    await load(session);
    world.tick = 60;
    const older = session.run('n >= 0');
    expect(gates).toHaveLength(1);
    world.tick = 0;
    const newer = session.run('n == 3');
    gates.splice(0).forEach((open) => open());
    expect(await older).toBeNull();
    expect(await newer).toMatchObject({ matched: 1, isDone: true });
    world.tick = 60;
    const stopped = session.run('n >= 0');
    gates.splice(0).forEach((open) => open());
    await Promise.resolve();
    await session.stop();
    gates.splice(0).forEach((open) => open());
    expect(await stopped).toBeNull();
    expect(reports.every(({ isDone }) => !isDone)).toBe(true);
  });

  it('explains rows, counts what clauses leave, and knows the fields', async () => {
    const { session } = createWorld();
    await load(session);
    await session.run('id == "row-3" and n > 1');
    expect(await session.detail(3)).toMatchObject({
      explained: { kind: 'and', matches: true, children: [{ note: 'id is "row-3"' }, { note: 'n is 3' }] },
    });
    expect(await session.detail(4)).toMatchObject({
      explained: { matches: false, children: [{}, { isNeeded: false }] },
    });
    expect(await session.detail(100)).toBeNull();
    const report = await session.report('id == "row-300"');
    expect(report).toMatchObject({ matched: 0, blocking: 0, clauses: [{ alone: 0 }] });
    expect((await session.complete('id == "row-1', 12)).items.length).toBeGreaterThan(1);
    expect(await session.inspect('n ==')).toBeNull();
  });

  it('converts a filter to a database condition, and reports the remaining filter', async () => {
    const { session } = createWorld();
    await load(session, [
      { id: 'a', n: 9007199254740992, v: '1.2.0' },
      { id: 'b', n: 2, v: '1.10.0' },
    ]);
    expect(await session.sql('id == "a\' OR 1=1" and n > 5 and v > 1.2.0', 'postgres')).toEqual({
      condition: `("rows"."id" = $1::text AND "rows"."n" > $2::bigint)`,
      values: [`"a' OR 1=1"`, '"5"'],
      residual: 'v > 1.2.0',
      clauses: [
        { filter: `id == "a' OR 1=1"`, by: 'exact', why: null },
        { filter: 'n > 5', by: 'exact', why: null },
        { filter: 'v > 1.2.0', by: 'residual', why: expect.stringContaining('as a version') as string },
      ],
    });
    expect(await session.sql('n > 9007199254740993', 'sqlite')).toMatchObject({
      condition: '"rows"."n" > ?',
      values: ['9007199254740993'],
      residual: null,
    });
    for (const none of ['n ==', 'm == 1', ' ']) expect(await session.sql(none, 'duckdb')).toBeNull();
    await session.setSchema(null);
    expect(await session.sql('n == 1', 'duckdb')).toBeNull();
  });

  it('writes SQL for rows of any names', async () => {
    const { session } = createWorld();
    const name = 'a"; DROP TABLE rows; --';
    const names = [name, '', 'a.b', '__proto__', '\0', '\\', '\ud800'];
    const row = Object.fromEntries(names.map((each): [string, unknown] => [each, 'x']));
    await load(session, [{ ...row, nested: { ...row, list: [row] } }]);
    for (const dialect of ['postgres', 'sqlite', 'duckdb'] as const)
      expect(await session.sql('a_DROP_TABLE_rows == "x"', dialect)).toMatchObject({
        condition: expect.stringContaining(`"rows"."a""; DROP TABLE rows; --"`) as string,
        values: ['"x"'],
      });
  });

  it('rejects an invalid schema, and keeps the previous one', async () => {
    const { session } = createWorld();
    await load(session);
    expect(await session.setSchema({ root: 'Row', structs: {} })).toMatchObject({ ok: false });
    expect(await session.run('n == 1')).toMatchObject({ matched: 1 });
  });

  it('gives the rows for a link, or none where they are too long', async () => {
    const { session } = createWorld();
    await load(session, [{ n: 1 }, { n: 2 }]);
    expect(await session.rowsText(100)).toBe('{"n":1}\n{"n":2}');
    expect(await session.rowsText(10)).toBeNull();
  });
});
