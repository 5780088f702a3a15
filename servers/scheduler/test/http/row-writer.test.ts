import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTimeSlicer, writeJson, type Chunk } from '@tamis/http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowList } from '../../src/api/lists/row-list.js';
import { createRowWriter } from '../../src/api/lists/row-writer.js';

const slices = createTimeSlicer({ now: () => 0, defer: (action) => void setImmediate(action) });

/** A job that counts how often its field is read. */
function readJob(ID: string): { readonly job: object; readonly reads: () => number } {
  let count = 0;
  const job = {
    get ID(): string {
      count += 1;
      return ID;
    },
  };
  return { job, reads: () => count };
}

/** What is short is weighed before it is written: a field may be read more than once. */
const readsOfOneWrite = ((): number => {
  const { job, reads } = readJob('a');
  entry(createRowWriter(0)({ Job: job }, 'Job'));
  return reads();
})();

/** A job that counts how often it is written. */
function countedJob(ID: string): { readonly job: object; readonly written: () => number } {
  const { job, reads } = readJob(ID);
  return { job, written: () => reads() / readsOfOneWrite };
}

function entry(chunks: Iterable<Chunk>): string {
  return [...chunks].join('');
}

async function bytesOf(body: Chunk | Readable): Promise<Buffer> {
  return body instanceof Readable ? buffer(body) : Buffer.from(body);
}

describe('rows that hold the same object', () => {
  it.each([false, true])('write it once for all of them; pretty: %s', async (pretty) => {
    const first = countedJob('a');
    const second = countedJob('b');
    const rows = Array.from({ length: 40 }, (_, at) => ({ ID: `${at}`, Job: (at % 2 ? first : second).job }));
    const list = rowList(rows, null, (row) => row, 'Job');
    const body = await list.print(pretty, slices, new AbortController().signal);
    expect([first.written(), second.written()]).toEqual([1, 1]);
    expect(body).toBe(pretty ? `${writeJson(rows, 4)}\n` : writeJson(rows));
  });

  it('send the very bytes of a large one, and no text for each', async () => {
    const Job = { ID: 'x'.repeat(1_000_000) };
    const rows = Array.from({ length: 20 }, (_, at) => ({ ID: `${at}`, Job }));
    const body = await rowList(rows, null, (row) => row, 'Job').print(
      false,
      slices,
      new AbortController().signal,
    );
    const sent: Buffer[] = [];
    await once(
      (body as Readable).on('data', (chunk: Buffer) => sent.push(chunk)),
      'end',
    );
    expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(65_536);
    const memories = new Set(sent.filter(({ length }) => length > 10_000).map((chunk) => chunk.buffer));
    expect(memories.size).toBe(1);
  });

  it('make the same list whether they are few or many, short or long', async () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 12 });
    const jobs = fc.array(fc.tuple(texts, fc.nat({ max: 30_000 })), { minLength: 1, maxLength: 3 });
    const picks = fc.array(fc.nat({ max: 2 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(jobs, picks, fc.boolean(), async (given, order, pretty) => {
        const all = given.map(([text, count]) => ({ Text: text.repeat(Math.ceil(count / 12)) }));
        const rows = order.map((pick, at) => ({ ID: `${at}`, Job: all[pick % all.length], After: 'ä' }));
        const list = rowList(rows, null, (row) => row, 'Job');
        const body = await list.print(pretty, slices, new AbortController().signal);
        expect(String(await bytesOf(body))).toBe(pretty ? `${writeJson(rows, 4)}\n` : writeJson(rows));
      }),
      { numRuns: 50 },
    );
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
        expect(entry(createRowWriter(indent)(one, 'Job'))).toBe(writeJson(one, indent, 1));
      }),
    );
  });

  it('is written again where there is no room to keep it', () => {
    const { job, written } = countedJob('a'.repeat(100));
    const write = createRowWriter(0, 50);
    expect(entry(write({ Job: job }, 'Job'))).toBe(entry(write({ Job: job }, 'Job')));
    expect(written()).toBe(2);
  });

  it('the object kept longest makes room', () => {
    const jobs = [
      countedJob('a'.repeat(20)),
      countedJob('b'.repeat(20)),
      countedJob('c'.repeat(20)),
    ] as const;
    const write = createRowWriter(0, 60);
    for (const { job } of [...jobs, ...jobs.slice(1)]) entry(write({ Job: job }, 'Job'));
    expect(jobs.map(({ written }) => written())).toEqual([1, 1, 1]);
    entry(write({ Job: jobs[0].job }, 'Job'));
    expect(jobs[0].written()).toBe(2);
  });
});
