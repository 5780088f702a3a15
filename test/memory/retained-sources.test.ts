import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { compileWhole, setAccelerator } from '../../src/filter/filter.js';
import { createSpecialise } from '../../src/filter/specialise/specialise.js';
import { defineSchema, fieldIndex, t } from '../../src/index.js';
import { compilePattern } from '../../src/language/values/pattern/index.js';
import { createFilterCache, defaultFilterCacheLimits } from '../../src/lists/query/request/filter-cache.js';
import { readSort } from '../../src/lists/query/request/sort-query.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const schema = defineSchema({
  Name: t.string,
  Meta: t.map(t.string),
  Groups: t.list(t.struct({ Name: t.string })),
});
const rows = [{ Name: 'web', Meta: { os: 'x' }, Groups: [{ Name: 'cache' }] }];
/** Length of the request from which each source is cut, in characters. */
const requestLength = 100_000;
const requests = 50;

/** Returns the memory that `use` retains after it was called with slices of different requests, in bytes. */
async function retained(use: (cut: (text: string) => string, at: number) => void): Promise<number> {
  const cut = (text: string): string =>
    Buffer.from('x'.repeat(requestLength) + text)
      .toString('latin1')
      .slice(requestLength);
  const measure = async (): Promise<number> => {
    // Targets of weak references are retained until the task ends.
    await setImmediate();
    collectGarbage();
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  use(cut, 0);
  const before = await measure();
  for (let at = 1; at <= requests; at += 1) use(cut, at);
  return (await measure()) - before;
}

/** A fifth of the requests. */
const maxRetained = (requests * requestLength) / 5;

describe('cached texts retain no request from which they were cut', () => {
  it('as patterns that were used once', async () => {
    const limits = { maxPatternLength: 1_000, maxPatternSize: 1_000 };
    const bytes = await retained((cut, at) =>
      compilePattern(cut(`[a-c]+pattern number ${String(at)}`), limits),
    );
    expect(bytes).toBeLessThan(maxRetained);
  });

  it('as patterns that were used twice', async () => {
    const limits = { maxPatternLength: 1_000, maxPatternSize: 1_000 };
    const bytes = await retained((cut, at) => {
      const source = `[a-c]+another pattern (and|or) number ${String(at)}`;
      for (let time = 0; time < 3; time += 1) compilePattern(cut(source), limits);
    });
    expect(bytes).toBeLessThan(maxRetained);
  });

  it('as names of Unicode classes', async () => {
    const limits = { maxPatternLength: 1_000, maxPatternSize: 100_000 };
    const names = [
      'Inscriptional_Pahlavi',
      'Inscriptional_Parthian',
      'Anatolian_Hieroglyphs',
      'Caucasian_Albanian',
    ];
    const bytes = await retained((cut, at) => {
      const name = names[at % 4] ?? '';
      compilePattern(cut(`\\p{${name}}${'x'.repeat(200)}`), limits);
    });
    expect(bytes).toBeLessThan(requestLength * 2);
  });

  it.each([
    ['literals', (at: number) => `Name == "a certain literal ${String(at)}"`],
    [
      'map keys',
      (at: number) => `Meta["a certain map key ${String(at)}"] == "a certain literal ${String(at)}"`,
    ],
    ['bare words', (at: number) => `Name == aCertainBareWord${String(at)} and Name != "a certain literal"`],
    [
      'lists',
      (at: number) => `Name in [aCertainBareWord${String(at)}, "a certain literal", "another literal"]`,
    ],
    [
      'loop variables',
      (at: number) =>
        `any Groups as aCertainVariable${String(at)} { aCertainVariable${String(at)}.Name == "a literal" }`,
    ],
    [
      'patterns',
      (at: number) => `Name matches "^a certain pattern[ab]+" and Name != aCertainBareWord${String(at)}`,
    ],
  ])('as shapes of filters with %s', async (_, sourceOf) => {
    const accelerate = createSpecialise({ rowsWorthCode: 0, maxShare: Infinity });
    const bytes = await retained((cut, at) => {
      const source = sourceOf(at);
      for (let time = 0; time < 2; time += 1)
        compileWhole(cut(source), { schema }, accelerate).filter.select(rows);
    });
    expect(bytes).toBeLessThan(maxRetained);
  });

  it('as shapes whose rows are counted', async () => {
    const accelerate = createSpecialise({ rowsWorthCode: 1_000, maxShare: Infinity });
    const bytes = await retained((cut, at) =>
      compileWhole(
        cut(`Meta["a certain map key ${String(at)}"] == "a literal"`),
        { schema },
        accelerate,
      ).filter.select(rows),
    );
    expect(bytes).toBeLessThan(maxRetained);
  });

  it('as filters of a list', async () => {
    const cache = createFilterCache({ schema, indexes: [] }, defaultFilterCacheLimits);
    const bytes = await retained((cut, at) => cache.plan(cut(`Name == "a certain literal ${String(at)}"`)));
    expect(bytes).toBeLessThan(maxRetained);
    expect(cache.size).toBe(requests + 1);
  });

  it('as filters of a list whose shape is known', async () => {
    const cache = createFilterCache(
      { schema, indexes: [fieldIndex(schema, 'Name')] },
      defaultFilterCacheLimits,
    );
    setAccelerator(createSpecialise({ rowsWorthCode: 0, maxShare: Infinity }));
    try {
      const bytes = await retained((cut, at) => {
        const { filter, lookups, mayFail } = cache.plan(
          cut(`Name == "a certain literal ${String(at)}" and any Groups as g { g.Name == "another" }`),
        );
        filter.select(rows);
        expect([lookups[0]?.keys, mayFail]).toEqual([[`a certain literal ${String(at)}`], true]);
      });
      expect(bytes).toBeLessThan(maxRetained);
    } finally {
      setAccelerator(null);
    }
  });

  it('as sorts of lists', async () => {
    const lists: unknown[] = [];
    const bytes = await retained((cut) => {
      const fields = new Map([
        ['ALongFieldNameOfTheList', { by: 'ALongFieldNameOfTheList', isNumbered: false }],
      ]);
      lists.push(fields, readSort(cut('-ALongFieldNameOfTheList'), fields as never));
    });
    expect(bytes).toBeLessThan(maxRetained);
    expect(lists).not.toHaveLength(0);
  });
});
