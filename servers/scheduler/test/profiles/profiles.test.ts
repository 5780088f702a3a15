import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { createProfiles, profileNames, type Profiles } from '../../src/services/profiles/profiles.js';

/**
 * Waiting is doing what is to be measured: the time is over when the work is done. `doWork` is what profiles name: what it
 * calls V8 may inline, and then shows as its caller; Node itself, which calls it, calls too many others to inline it.
 */
function clockThatWorks(work: () => void): Clock {
  return {
    elapsed: () => 0,
    now: () => 1_700_000_000_000,
    after(_milliseconds, action) {
      const turn = setImmediate(function doWork() {
        work();
        action();
      });
      return () => clearImmediate(turn);
    },
    defer: (action) => void setImmediate(action),
  };
}

const open: Profiles[] = [];
afterEach(() => {
  for (const profiles of open.splice(0)) profiles.close();
});

async function profilesOver(work: () => void = () => undefined, maxSeconds = 10): Promise<Profiles> {
  const profiles = await createProfiles({
    clock: clockThatWorks(work),
    commandLine: ['node', 'scheduler', 'agent'],
    requests: () => [{ method: 'GET', path: '/v1/jobs', since: 1_699_999_999_000 }],
    report: () => ({
      javascriptStack: { stack: ['at somewhere'] },
      libuv: [{ type: 'tcp', is_active: true }],
      environmentVariables: { TOKEN: 'hush' },
      header: { commandLine: ['--secret'] },
    }),
    limits: { maxSeconds, maxRunning: 1 },
  });
  open.push(profiles);
  return profiles;
}

const stay = new AbortController().signal;
const binary = { seconds: 1, debug: 0, collect: false };

/** Reads a profile as its readers do; the functions by what their stacks weigh in the type shown first. */
function read(body: string | Buffer): {
  types: string[];
  displayType: string;
  weights: Map<string, number>;
  total: number;
} {
  const profile = Profile.decode(gunzipSync(body));
  const { strings } = profile.stringTable;
  const text = (at: number | bigint): string => strings[Number(at)] ?? '';
  const types = profile.sampleType.map(({ type }) => text(type));
  const printed = text(profile.defaultSampleType);
  const names = new Map(profile.function.map(({ id, name }) => [Number(id), text(name)]));
  const places = new Map(
    profile.location.map(({ id, line }) => [Number(id), names.get(Number(line[0]?.functionId)) ?? '']),
  );
  const weights = new Map<string, number>();
  let total = 0;
  for (const { locationId, value } of profile.sample) {
    const weight = Number(value[types.indexOf(printed)]);
    total += weight;
    for (const name of new Set(locationId.map((id) => places.get(Number(id)) ?? ''))) {
      weights.set(name, (weights.get(name) ?? 0) + weight);
    }
  }
  return { types, displayType: printed, weights, total };
}

/** Of the processor, whatever else the machine does. */
function burnTime(): void {
  const begin = process.cpuUsage();
  while (process.cpuUsage(begin).user < 400_000)
    for (let at = 0; at < 10_000; at += 1) Math.sqrt(Math.random());
}

describe('profiles', () => {
  it('of the CPU name the function that the time is spent in', async () => {
    const profiles = await profilesOver(burnTime);
    const { body, file } = await profiles.take({ ...binary, name: 'profile' }, stay);
    const { types, displayType: printed } = read(body);
    expect(file).toBe('profile');
    expect([types, printed]).toEqual([['samples', 'cpu'], 'cpu']);
    // What else the process does while it is watched weighs as well, so a profile may have to be taken again.
    await expect
      .poll(async () => {
        const { weights, total } = read((await profiles.take({ ...binary, name: 'profile' }, stay)).body);
        return (weights.get('doWork') ?? 0) / total;
      })
      .toBeGreaterThan(0.3);
  });

  it('of the heap name the function that holds the memory', async () => {
    const profiles = await profilesOver();
    const retained: unknown[] = [];
    function fillMemory(): void {
      for (let at = 0; at < 100; at += 1) retained.push(new Array<number>(100_000).fill(at));
    }
    fillMemory();
    const heap = read((await profiles.take({ ...binary, name: 'heap', collect: true }, stay)).body);
    expect(heap.displayType).toBe('inuse_space');
    expect(heap.weights.get('fillMemory')).toBeGreaterThan(10_000_000);
    expect(read((await profiles.take({ ...binary, name: 'allocs' }, stay)).body).displayType).toBe(
      'alloc_space',
    );
    const { body, file } = await profiles.take({ ...binary, name: 'heap', debug: 1 }, stay);
    expect(file).toBeNull();
    expect(body).toContain('fillMemory');
    expect(retained).toHaveLength(100);
  });

  it('of what is going on list the requests, and never the environment', async () => {
    const profiles = await profilesOver();
    const { weights } = read((await profiles.take({ ...binary, name: 'goroutine' }, stay)).body);
    expect(weights.get('request GET /v1/jobs')).toBe(1);
    const { body } = await profiles.take({ ...binary, name: 'goroutine', debug: 2 }, stay);
    expect(body).toContain('GET /v1/jobs, for 1000 ms');
    expect(body).toContain('at somewhere');
    expect(body).not.toMatch(/hush|--secret/);
  });

  it.each(['block', 'mutex', 'threadcreate'])('of %s are valid, empty, and say why', async (name) => {
    const profiles = await profilesOver();
    const { body } = await profiles.take({ ...binary, name }, stay);
    expect(Profile.decode(gunzipSync(body)).sample).toEqual([]);
    expect((await profiles.take({ ...binary, name, debug: 1 }, stay)).body).toContain('has no such data');
    expect(profileNames).toContain(name);
  });

  it('can be traces, in the format of Chrome', async () => {
    const profiles = await profilesOver();
    const { body, file } = await profiles.take({ ...binary, name: 'trace' }, stay);
    expect(file).toBe('trace');
    expect(JSON.parse(String(body))).toHaveProperty('traceEvents');
  });

  it('can be the command line', async () => {
    const profiles = await profilesOver();
    const response = await profiles.take({ ...binary, name: 'cmdline' }, stay);
    expect(response).toEqual({ body: 'node\0scheduler\0agent', file: null });
  });

  it('are refused when there is no such profile, when they take too long, and when another is taken', async () => {
    const profiles = await profilesOver();
    await expect(profiles.take({ ...binary, name: 'nope' }, stay)).rejects.toMatchObject({
      code: 'not-found',
      message: 'Pprof profile not found profile: nope',
    });
    await expect(profiles.take({ ...binary, name: 'profile', seconds: 11 }, stay)).rejects.toMatchObject({
      code: 'bad-request',
    });
    const first = profiles.take({ ...binary, name: 'profile' }, stay);
    await expect(profiles.take({ ...binary, name: 'profile' }, stay)).rejects.toMatchObject({
      code: 'too-many-requests',
    });
    await first;
    await expect(profiles.take({ ...binary, name: 'profile' }, stay)).resolves.toHaveProperty(
      'file',
      'profile',
    );
  });

  it('end when the client leaves', async () => {
    const profiles = await profilesOver();
    for (const name of ['profile', 'trace']) {
      await expect(profiles.take({ ...binary, name }, AbortSignal.abort())).rejects.toMatchObject({
        code: 'client-gone',
      });
    }
  });
});
