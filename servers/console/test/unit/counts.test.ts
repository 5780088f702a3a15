import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createCountHistory,
  maxSamples,
  sampleInterval,
  statesOf,
} from '../../src/overview/count-history.js';
import { scrollFor, visibleRange, rowHeight } from '../../src/table/row-window.js';
import { nextOrder } from '../../src/table/table-head.js';
import { addressOf, jobAddress, jobOfAddress } from '../../src/app/location.js';
import { findPage } from '../../src/app/pages.js';

describe('the counts of the last minutes', () => {
  it('are bounded however often they are taken, and have the last one always', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 600 }), (steps) => {
        const history = createCountHistory();
        let at = 0;
        for (const step of steps) {
          at += step;
          history.add({ at, counts: new Map([['running', at]]) });
          expect(history.samples.length).toBeLessThanOrEqual(maxSamples);
          expect(history.samples.at(-1)?.at).toBe(at);
          expect(at - (history.samples[0]?.at ?? 0)).toBeLessThanOrEqual(maxSamples * sampleInterval);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('are of all states that occurred, the most frequent one now first', () => {
    const sample = (at: number, counts: Record<string, number>) => ({
      at,
      counts: new Map(Object.entries(counts)),
    });
    expect(statesOf([sample(1, { lost: 9 }), sample(2, { running: 1, dead: 4 })])).toEqual([
      'dead',
      'running',
      'lost',
    ]);
  });
});

describe('the window of a table', () => {
  it('has what is seen, and little more', () => {
    fc.assert(
      fc.property(
        fc.nat(400_000),
        fc.integer({ min: 1, max: 3_000 }),
        fc.nat(10_000),
        (top, height, total) => {
          const { from, to } = visibleRange(top, height, total);
          const first = Math.floor(top / rowHeight);
          for (let row = first; row < Math.min(total, first + Math.floor(height / rowHeight)); row += 1) {
            expect(from <= row && row < to).toBe(true);
          }
          expect(to - from).toBeLessThanOrEqual(height / rowHeight + 22);
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeLessThanOrEqual(total);
        },
      ),
    );
  });

  it('scrolls no further than it must', () => {
    expect(scrollFor(0, 320, 320)).toBe(0);
    expect(scrollFor(12, 320, 640)).toBe(320);
    expect(scrollFor(40, 0, 320)).toBe(42 * rowHeight - 320);
  });
});

describe('addresses', () => {
  it('name a job, whatever it is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (ID) => {
        const address = jobAddress({ ID, Namespace: 'default' });
        const found = findPage(address.slice('/ui/'.length), [
          { path: 'jobs/{id}', title: 'Job', isListed: false, load: () => Promise.reject(new Error()) },
        ]);
        expect(jobOfAddress(found?.id ?? '')).toEqual({ ID, Namespace: 'default' });
      }),
    );
  });

  it('leave out what is empty, and take half a letter', () => {
    expect(addressOf(['jobs'], { filter: 'A == "b&c"', sort: '' })).toBe(
      '/ui/jobs?filter=A+%3D%3D+%22b%26c%22',
    );
    expect(addressOf(['nodes', '\ud800'])).toBe('/ui/nodes/%EF%BF%BD');
  });

  it('name no page by what is no page', () => {
    for (const path of ['none', 'jobs/a/b/c', 'nodes/%', '%2e%2e']) expect(findPage(path, [])).toBeNull();
    expect(findPage('jobs')?.page.title).toBe('Jobs');
  });
});

describe('the order of a column', () => {
  it('is the greatest first, then the least, then that of the list', () => {
    expect(nextOrder('A', 'B')).toBe('-A');
    expect(nextOrder('A', '-A')).toBe('A');
    expect(nextOrder('A', 'A')).toBe('');
  });
});
