import { getActiveResourcesInfo } from 'node:process';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { badRequest, notFound, SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import {
  describeActiveWork,
  profileActiveWork,
  summariseReport,
  type RequestInFlight,
} from './active-work.js';
import { profileCpu } from './cpu-profile.js';
import { shareHeapSampler, type HeapSampler } from './heap-sampler.js';
import { describeProfile, encodeProfile, type ProfileData } from './pprof.js';
import { traceProcess } from './trace.js';

/** A requested profile. */
export interface ProfileRequest {
  /** `cmdline`, `profile`, `trace`, or one of {@link profileNames}. */
  readonly name: string;
  /** Duration of a profile or trace. */
  readonly seconds: number;
  /** 0 for the binary form, 1 for readable output, 2 for more detailed output. */
  readonly debug: number;
  /** Whether to collect garbage before a heap profile. */
  readonly collect: boolean;
}

/** A profile in its sent form. */
export interface ProfileResponse {
  readonly body: string | Buffer;
  /** The suggested file name; null for readable output. */
  readonly file: string | null;
}

/** Takes profiles of this process. */
export interface Profiles {
  /**
   * Takes a profile. @throws SchedulerError `not-found`, `bad-request`, `too-many-requests`, or `client-gone` if the
   * signal is aborted first.
   */
  take(request: ProfileRequest, signal: AbortSignal): Promise<ProfileResponse>;
  /** Stops the sampling of the heap. */
  close(): void;
}

export interface ProfilesDependencies {
  readonly clock: Clock;
  /** The command line of this process. */
  readonly commandLine: readonly string[];
  readonly requests: () => readonly RequestInFlight[];
  /** Returns the process report of Node.js as an object. */
  readonly report: () => unknown;
  readonly limits?: ProfileLimits;
}

export interface ProfileLimits {
  /** Maximum duration of a profile or trace, in seconds. Prevents a forgotten one from slowing the process down for long. */
  readonly maxSeconds: number;
  /** Maximum number of concurrent profiles and traces, because each slows the process down. */
  readonly maxRunning: number;
}

const defaultLimits: ProfileLimits = Object.freeze({ maxSeconds: 3_600, maxRunning: 2 });

/** The profiles that are snapshots. */
export const profileNames = ['goroutine', 'heap', 'allocs', 'block', 'mutex', 'threadcreate'] as const;

/** Creates the profiler and starts sampling the heap. Earlier allocations are not included. */
export async function createProfiles(dependencies: ProfilesDependencies): Promise<Profiles> {
  const { clock, commandLine, limits = defaultLimits } = dependencies;
  const sampler = await shareHeapSampler();
  let running = 0;

  async function watch<T>(seconds: number, action: () => Promise<T>): Promise<T> {
    const { maxSeconds, maxRunning } = limits;
    if (seconds > maxSeconds) {
      throw badRequest(`A profile takes at most ${maxSeconds} seconds, not ${seconds}`);
    }
    if (running >= maxRunning) {
      throw new SchedulerError('too-many-requests', `${running} profiles are being taken already, try later`);
    }
    running += 1;
    try {
      return await action();
    } finally {
      running -= 1;
    }
  }

  return {
    async take({ name, seconds, debug, collect }, signal) {
      if (name === 'cmdline') return { body: commandLine.join('\0'), file: null };
      if (name === 'profile') {
        const profile = await watch(seconds, () => profileCpu(seconds, clock, signal));
        return { body: await encodeProfile(profile), file: name };
      }
      if (name === 'trace') {
        return { body: await watch(seconds, () => traceProcess(seconds, clock, signal)), file: name };
      }
      const profile = await pictureOf(name, sampler, collect, dependencies);
      if (debug === 0) return { body: await encodeProfile(profile), file: name };
      return { body: textOf(name, profile, debug, dependencies), file: null };
    },
    close: () => sampler.close(),
  };
}

async function pictureOf(
  name: string,
  sampler: HeapSampler,
  collect: boolean,
  dependencies: ProfilesDependencies,
): Promise<ProfileData> {
  const now = dependencies.clock.now();
  switch (name) {
    case 'heap':
      return sampler.sample(now, collect);
    case 'allocs':
      return { ...(await sampler.sample(now, false)), displayType: 'alloc_space' };
    case 'goroutine':
      return profileActiveWork(activeWork(dependencies), now);
    case 'block':
    case 'mutex':
      return emptyProfile(['contentions', 'count'], ['delay', 'nanoseconds'], now);
    case 'threadcreate':
      return emptyProfile(['threadcreate', 'count'], ['threadcreate', 'count'], now);
    default:
      throw notFound(`Pprof profile not found profile: ${name}`);
  }
}

function activeWork({ requests }: ProfilesDependencies): Parameters<typeof profileActiveWork>[0] {
  return { requests: requests(), resources: getActiveResourcesInfo() };
}

function textOf(
  name: string,
  profile: ProfileData,
  debug: number,
  dependencies: ProfilesDependencies,
): string {
  if (name !== 'goroutine' || debug < 2) return describeProfile(name, profile);
  const report = summariseReport(dependencies.report());
  return describeActiveWork(activeWork(dependencies), dependencies.clock.now(), report);
}

/** Returns a valid but empty profile: Node.js has a single thread, which never waits for a lock. */
function emptyProfile(
  first: readonly [string, string],
  second: readonly [string, string],
  time: number,
): ProfileData {
  return {
    types: first[0] === second[0] ? [first] : [first, second],
    displayType: second[0],
    samples: [],
    period: [...first, 1],
    time,
    duration: 0,
    comments: ['the runtime has no such data: all of the code runs in one thread'],
  };
}
