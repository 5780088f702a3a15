import { createSlices, writeJson } from '@tamis/http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowList } from '../../src/http/row-list.js';
import { createRowWriter } from '../../src/http/row-writer.js';

const slices = createSlices({ now: () => 0, soon: (action) => void setImmediate(action) });

/** A job that counts how often it is written. */
function countedJob(ID: string): { readonly job: object; readonly written: () => number } {
  let count = 0;
  const job = {
    get ID(): string {
      count += 1;
      return ID;
    },
  };
  return { job, written: () => count };
}

describe('rows that hold the same object', () => {
  it.each([false, true])('write it once for all of them; pretty: %s', async (pretty) => {
    const first = countedJob('a');
    const second = countedJob('b');
    const rows = Array.from({ length: 40 }, (_, at) => ({ ID: `${at}`, Job: (at % 2 ? first : second).job }));
    const list = rowList(rows, null, (row) => row, 'Job');
    const text = await list.print(pretty, slices, new AbortController().signal);
    expect([first.written(), second.written()]).toEqual([1, 1]);
    expect(text).toBe(pretty ? `${writeJson(rows, 4)}\n` : writeJson(rows));
  });

  it('are written as any other value is', () => {
    const row = fc.record({
      ID: fc.string(),
      Job: fc.oneof(fc.jsonValue(), fc.constant(undefined)),
      After: fc.jsonValue(),
    });
    const indents = fc.constantFrom(0, 4);
    fc.assert(
      fc.property(row, indents, (one, indent) => {
        expect(createRowWriter(indent)(one, 'Job')).toBe(writeJson(one, indent, 1));
      }),
    );
  });

  it('is written again where there is no room to keep it', () => {
    const { job, written } = countedJob('a'.repeat(100));
    const write = createRowWriter(0, 50);
    expect(write({ Job: job }, 'Job')).toBe(write({ Job: job }, 'Job'));
    expect(written()).toBe(2);
  });

  it('the object kept longest makes room', () => {
    const jobs = [
      countedJob('a'.repeat(20)),
      countedJob('b'.repeat(20)),
      countedJob('c'.repeat(20)),
    ] as const;
    const write = createRowWriter(0, 60);
    for (const { job } of [...jobs, ...jobs.slice(1)]) write({ Job: job }, 'Job');
    expect(jobs.map(({ written }) => written())).toEqual([1, 1, 1]);
    write({ Job: jobs[0].job }, 'Job');
    expect(jobs[0].written()).toBe(2);
  });
});
