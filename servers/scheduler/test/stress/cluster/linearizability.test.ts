import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { absentJob, type Operation, type WriteOutcome } from '../../../stress/cluster/history.js';
import { findViolations } from '../../../stress/cluster/linearizability.js';

interface Place {
  readonly job?: string;
  readonly server?: string;
  /** When it begins and ends. */
  readonly at: readonly [start: number, end: number];
}

function write(
  value: string,
  base: number,
  index: number | null,
  place: Place,
  outcome?: WriteOutcome,
): Operation {
  const known = outcome ?? (index === null ? 'unknown' : 'written');
  return { kind: 'write', value, base, index, outcome: known, ...placeOf(place) };
}

/** A read of a version; its number is what comes in `value` after the letter. */
function read(value: string, index: number, place: Place, kind: 'read' | 'stale' = 'read'): Operation {
  const state = index === 0 ? absentJob : { index, value, version: Number(value.slice(1)) };
  return { kind, state, ...placeOf(place) };
}

function placeOf({ job = 'j', server = 's1', at: [start, end] }: Place) {
  return { job, server, start, end };
}

const first = write('v0', 0, 5, { at: [0, 2] });
const second = write('v1', 5, 8, { at: [3, 5] });

describe('a history that a register could have given', () => {
  it.each<[name: string, history: readonly Operation[]]>([
    ['nothing', []],
    ['a read of nothing', [read('', 0, { at: [0, 1] })]],
    ['a read after a write', [first, read('v0', 5, { at: [3, 4] })]],
    ['an old version while it is replaced', [first, second, read('v0', 5, { at: [4, 6] })]],
    ['a new version while it is written', [first, second, read('v1', 8, { at: [3.5, 4] })]],
    [
      'a write without a response that happened',
      [first, write('v1', 5, null, { at: [3, 4] }), read('v1', 8, { at: [9, 10] })],
    ],
    [
      'one that happened long after it was given up',
      [write('v0', 0, null, { at: [0, 1] }), read('', 0, { at: [5, 6] }), read('v0', 5, { at: [9, 10] })],
    ],
    [
      'one that did not happen',
      [first, write('v1', 5, null, { at: [3, 4] }), read('v0', 5, { at: [9, 10] })],
    ],
    [
      'a write over one without a response',
      [write('v0', 0, null, { at: [0, 1] }), write('v1', 5, 8, { at: [3, 4] })].concat(
        read('v0', 5, { at: [2, 3] }),
      ),
    ],
    ['a refusal by another that was first', [first, write('w', 0, null, { at: [1, 3] }, 'refused')]],
    ['a stale read of an old version', [first, second, read('v0', 5, { at: [6, 7], server: 's2' }, 'stale')]],
    [
      'a stale read that only goes on',
      [
        first,
        second,
        read('v0', 5, { at: [6, 7], server: 's2' }, 'stale'),
        read('v1', 8, { at: [8, 9], server: 's2' }, 'stale'),
      ],
    ],
    ['other jobs', [first, write('v0x', 0, 4, { job: 'other', at: [3, 4] }), read('v0', 5, { at: [5, 6] })]],
  ])('%s', (_name, history) => {
    expect(findViolations(history)).toEqual([]);
  });
});

describe('a history that is wrong', () => {
  it.each<[name: string, history: readonly Operation[], violation: RegExp]>([
    [
      'a stale response to a default read',
      [first, second, read('v0', 5, { at: [6, 7] })],
      /^j: index 5 \(v0\) was read at 6.0 on s1, after index 8/,
    ],
    ['nothing, after a write', [first, read('', 0, { at: [3, 4] })], /no job was read/],
    [
      'a read that goes back',
      [
        first,
        write('v1', 5, null, { at: [3, 20] }),
        read('v1', 8, { at: [4, 5] }),
        read('v0', 5, { at: [6, 7] }),
      ],
      /index 5 \(v0\) was read .* after index 8/,
    ],
    [
      'a lost write',
      [first, second, write('v2', 5, 9, { at: [6, 7] })],
      /v2 \(index 9\) was written over index 5, and 8 was there/,
    ],
    [
      'a lost write, told by the numbers of the versions',
      [
        first,
        second,
        read('v0', 5, { at: [0, 9] }),
        { ...read('v1', 8, { at: [6, 7] }), state: { index: 8, value: 'v1', version: 0 } } as Operation,
      ],
      /v1 \(index 8\) is version 0, and 1 writes/,
    ],
    [
      'a write that was done twice',
      [first, read('v0', 5, { at: [3, 4] }), read('v0', 6, { at: [5, 6] })],
      /v0 was written twice, under index 5 and 6/,
    ],
    [
      'two writes over one version',
      [first, second, write('w1', 5, 9, { at: [3, 5] })],
      /w1 \(index 9\) was written over index 5, and 8/,
    ],
    [
      'two values under one index',
      [first, write('w0', 0, 5, { at: [0, 1] })],
      /index 5 was v0, and later w0/,
    ],
    [
      'a value that nobody wrote',
      [first, read('w7', 7, { at: [3, 4] })],
      /index 7 holds w7, which nobody wrote/,
    ],
    [
      'a refused write that is there',
      [write('v0', 0, null, { at: [0, 1] }, 'refused'), read('v0', 5, { at: [3, 4] })],
      /reported as not written/,
    ],
    [
      'one of which nothing was written, and is there',
      [write('v0', 0, null, { at: [0, 1] }, 'undone'), read('v0', 5, { at: [3, 4] })],
      /reported as not written/,
    ],
    [
      'a refusal without a reason',
      [first, write('w', 5, null, { at: [3, 4] }, 'refused'), read('v0', 5, { at: [5, 6] })],
      /w was refused on s1, though index 5 was there/,
    ],
    [
      'a read before its write',
      [read('v0', 5, { at: [0, 1] }), write('v0', 0, 5, { at: [2, 3] })],
      /was written at 2.0 on s1, after index 5/,
    ],
    [
      'an index that goes back',
      [write('v0', 0, 8, { at: [0, 1] }), write('v1', 8, 5, { at: [2, 3] })],
      /written over/,
    ],
    [
      'a stale read that goes back',
      [first, second, read('v1', 8, { at: [6, 7] }, 'stale'), read('v0', 5, { at: [8, 9] }, 'stale')],
      /s1 went back to index 5 after index 8/,
    ],
    [
      'a stale read that lacks what its server acknowledged',
      [first, read('', 0, { at: [3, 4] }, 'stale')],
      /s1 went back to index 0/,
    ],
    [
      'a stale read of what is not written yet',
      [read('v0', 5, { at: [0, 1], server: 's2' }, 'stale'), write('v0', 0, 5, { at: [2, 3] })],
      /s2 showed index 5 before it was written/,
    ],
  ])('%s', (_name, history, violation) => {
    const found = findViolations(history);
    expect(
      found.filter((each) => violation.test(each)),
      found.join('\n'),
    ).not.toEqual([]);
  });
});

/** The responses of a register whose operations take effect at one moment each, in the middle of their duration. */
const playedHistory = fc
  .array(
    fc.record({
      kind: fc.constantFrom('write', 'read', 'stale' as const),
      isStray: fc.boolean(),
      before: fc.integer({ min: 1, max: 30 }),
      after: fc.integer({ min: 1, max: 30 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((steps) => {
    const history: Operation[] = [];
    let index = 0;
    let version = -1;
    let value = '';
    steps.forEach(({ kind, isStray, before, after }, at) => {
      const moment = at * 10;
      const timed = { job: 'j', server: `s${at % 3}`, start: moment - before, end: moment + after };
      if (kind !== 'write') {
        history.push({
          ...timed,
          kind: kind === 'stale' ? 'stale' : 'read',
          state: { index, version, value },
        });
        return;
      }
      const written = `v${at}`;
      history.push({
        ...timed,
        kind,
        base: index,
        value: written,
        index: isStray ? null : at + 1,
        outcome: isStray ? 'unknown' : 'written',
      });
      index = at + 1;
      version += 1;
      value = written;
    });
    // A client whose write got no response reads before it writes again, so every version has been seen.
    const seen = history.flatMap((each): Operation[] =>
      each.kind === 'write' && each.index === null
        ? [
            {
              ...each,
              kind: 'read',
              start: each.start,
              end: Infinity,
              state: { index: Number(each.value.slice(1)) + 1, version: -1, value: each.value },
            },
          ]
        : [],
    );
    return [...history, ...seen];
  });

describe('any history', () => {
  it('of a register is without violations', () => {
    fc.assert(
      fc.property(playedHistory, (history) => {
        expect(findViolations(history)).toEqual([]);
      }),
    );
  });

  it('in which a read shows the version before the last that had ended is wrong', () => {
    fc.assert(
      fc.property(playedHistory, (history) => {
        const written = history.filter((each) => each.kind === 'write' && each.outcome === 'written');
        const last = written.at(-1);
        fc.pre(last?.kind === 'write');
        const end = Math.max(...history.map((each) => each.end).filter(Number.isFinite));
        const wrong: Operation = {
          kind: 'read',
          job: 'j',
          server: 's0',
          start: end + 1,
          end: end + 2,
          state: absentJob,
        };
        expect(findViolations([...history, wrong])).not.toEqual([]);
      }),
    );
  });
});
