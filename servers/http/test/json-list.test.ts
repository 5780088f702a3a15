import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSlices, jsonListStream, jsonListText, writeJson, type ListForm } from '../src/index.js';

const newSlices = (budget?: number): ReturnType<typeof createSlices> =>
  createSlices({ now: () => performance.now(), soon: (action) => void setImmediate(action) }, budget);

function formOf(pretty: boolean): ListForm<unknown> {
  return { pretty, write: (item) => writeJson(item, pretty ? 4 : 0, 1) };
}

describe('the JSON of a list', () => {
  it('is that of the array, in one text or streamed, indented or not', async () => {
    const length = fc.constantFrom(0, 1, 2, 255, 256, 257, 3_000);
    await fc.assert(
      fc.asyncProperty(length, fc.boolean(), fc.jsonValue(), async (count, pretty, item) => {
        const items = Array.from({ length: count }, (_, at) => ({ at, item }));
        const expected = `${JSON.stringify(items, null, pretty ? 4 : 0)}${pretty ? '\n' : ''}`;
        const form = formOf(pretty);
        const whole = jsonListText(items, form);
        expect(whole === null).toBe(count > 256 || expected.length > 262_144);
        if (whole !== null) expect(whole).toBe(expected);
        expect(await text(jsonListStream(items, form, newSlices()))).toBe(expected);
      }),
      { numRuns: 30 },
    );
  });

  it('is no text when few rows are large', () => {
    const items = Array.from({ length: 10 }, () => 'x'.repeat(40_000));
    expect(jsonListText(items, formOf(false))).toBeNull();
  });

  it('is whole when every slice has time for one row only', async () => {
    const items = Array.from({ length: 700 }, (_, at) => at);
    let time = 0;
    const slices = createSlices({ now: () => (time += 1), soon: (action) => void setImmediate(action) }, 3);
    expect(await text(jsonListStream(items, formOf(false), slices))).toBe(JSON.stringify(items));
  });

  it('is made only as fast as it is read, and no further when nobody reads', async () => {
    let written = 0;
    const form: ListForm<number> = {
      pretty: false,
      write(item) {
        written += 1;
        return JSON.stringify('x'.repeat(1_000) + String(item));
      },
    };
    const slices = newSlices();
    const body = jsonListStream(
      Array.from({ length: 100_000 }, (_, at) => at),
      form,
      slices,
    );
    expect(body).toBeInstanceOf(Readable);
    for await (const slice of body) {
      expect(String(slice).startsWith('["x')).toBe(true);
      break;
    }
    expect(body.destroyed).toBe(true);
    expect(slices.waiting).toBe(0);
    expect(written).toBeLessThan(1_000);
  });

  it('breaks off with what a row throws, and with the reason to stop', async () => {
    const slices = newSlices(0.01);
    const broken = jsonListStream(
      [1, 2, 3],
      {
        pretty: false,
        write: () => {
          throw new Error('no row');
        },
      },
      slices,
    );
    await expect(text(broken)).rejects.toThrow('no row');
    const endless = jsonListStream(
      Array.from({ length: 1_000_000 }, (_, at) => at),
      formOf(false),
      slices,
    );
    const reading = expect(text(endless)).rejects.toThrow('stopping');
    const unread = jsonListStream([1, 2, 3], formOf(false), slices);
    const ended = once(unread, 'error');
    setImmediate(() => slices.stop(new Error('stopping')));
    await reading;
    expect(await ended).toEqual([new Error('stopping')]);
    expect(unread.destroyed).toBe(true);
  });
});
