import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, quote } from '@tamis/scheduler-model/quote.js';
import { complete, jobWith, mistakesOf, task, type Body } from './jobs.js';

/** Whether it comes back from its bytes: an unpaired surrogate does not. */
function isWellFormed(text: string): boolean {
  return Buffer.from(text).toString() === text;
}

describe('what an error quotes of a text', () => {
  it('is all of a short one, and the beginning of a long one', () => {
    expect(clip('x'.repeat(128))).toBe('x'.repeat(128));
    expect(clip('x'.repeat(129))).toBe(`${'x'.repeat(128)}…`);
    expect(quote('a"b', 2)).toBe('"a\\"…"');
  });

  it('is text, wherever it is cut', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 40 }).filter(isWellFormed);
    fc.assert(
      fc.property(texts, fc.nat({ max: 40 }), (text, maxLength) => {
        const clipped = clip(text, maxLength);
        expect(isWellFormed(clipped)).toBe(true);
        expect(clipped.length).toBeLessThanOrEqual(maxLength + 1);
        expect(text.startsWith(clipped === text ? text : clipped.slice(0, -1))).toBe(true);
      }),
    );
  });
});

describe('a job whose texts are long', () => {
  const long = 'x'.repeat(100_000);
  const twice = (name: string): Body[] => [
    { ...task, Name: name },
    { ...task, Name: name },
  ];
  const port = (Label: string, Value: number): Body => ({ Label, Value });

  it.each<[what: string, job: Body]>([
    ['its names', jobWith({ job: { ID: long, Name: `${long}y` } })],
    ['its type', jobWith({ job: { Type: long }, group: { Update: { MaxParallel: 1 } } })],
    ['its datacenters and namespace', jobWith({ job: { Namespace: long, Datacenters: [''] } })],
    ['names of groups', { ID: 'x', TaskGroups: [1, 2].map(() => ({ Name: long, Tasks: [task] })) }],
    ['names of tasks', jobWith({ group: { Tasks: twice(long) } })],
    ['keys', jobWith({ task: { Env: { [`${long}=`]: 'x', [`${long}`]: '\0' }, Config: { [long]: 1 } } })],
    ['labels', jobWith({ group: { Networks: [{ ReservedPorts: [port(long, 70_000), port(long, 0)] }] } })],
    ['a service', jobWith({ group: { Services: [1, 2].map(() => ({ Name: long, PortLabel: long })) } })],
    [
      'a timetable',
      jobWith({ job: { Type: 'batch', Periodic: { Spec: `${long} * * * *`, TimeZone: long } } }),
    ],
    ['a time zone', jobWith({ job: { Type: 'batch', Periodic: { Spec: '@daily', TimeZone: long } } })],
  ])('is quoted briefly: %s', (_what, job) => {
    const errors = mistakesOf(job);
    expect(errors).not.toEqual([]);
    expect(errors.join().length).toBeLessThan(5_000);
  });

  it('is quoted as briefly if a part has another kind', () => {
    expect(() => complete(jobWith({ task: { Env: { [long]: 1 } } }))).toThrow(
      expect.objectContaining({ path: expect.stringMatching(/^.{1,300}$/) as string }),
    );
  });
});
