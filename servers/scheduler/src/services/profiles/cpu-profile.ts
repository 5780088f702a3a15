import type { Profiler } from 'node:inspector';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { untilNotified } from '@tamis/scheduler-model/base/backoff.js';
import { openInspector } from './inspector.js';
import { frameOf } from './frame-name.js';
import type { Frame, ProfileData, StackSample } from './pprof.js';

/** Interval between stack samples, in µs: a hundred per second, as in Go. */
const samplingInterval = 10_000;

/** Records the CPU use of this process for some seconds. @throws SchedulerError `client-gone` */
export async function profileCpu(seconds: number, clock: Clock, signal: AbortSignal): Promise<ProfileData> {
  const session = openInspector();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: samplingInterval });
    const time = clock.now();
    await session.post('Profiler.start');
    await untilNotified<void>(signal, ({ resolve }) => clock.after(seconds * 1_000, resolve));
    const { profile } = await session.post('Profiler.stop');
    return convertCpuProfile(profile, time);
  } finally {
    session.disconnect();
  }
}

/** Converts V8's tree and samples to stacks with their time. */
function convertCpuProfile(
  { nodes, samples = [], timeDeltas = [], startTime, endTime }: Profiler.Profile,
  time: number,
): ProfileData {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const spent = new Map<number, { count: number; microseconds: number }>();
  for (const [at, id] of samples.entries()) {
    // A delta is the time before its sample, so the next delta is the duration of a sample.
    const microseconds = Math.max(0, timeDeltas[at + 1] ?? 0);
    const entry = spent.get(id) ?? { count: 0, microseconds: 0 };
    entry.count += 1;
    entry.microseconds += microseconds;
    spent.set(id, entry);
  }
  const stackOf = (id: number | undefined): Frame[] => {
    const node = id === undefined ? undefined : byId.get(id);
    if (id === undefined || node === undefined) return [];
    const rest = stackOf(parents.get(id));
    // The root is not a function.
    return node.callFrame.functionName === '(root)' ? rest : [frameOf(node.callFrame), ...rest];
  };
  const stacks: StackSample[] = [...spent].flatMap(([id, { count, microseconds }]) =>
    // Idle time belongs to no function.
    byId.get(id)?.callFrame.functionName === '(idle)'
      ? []
      : [{ stack: stackOf(id), values: [count, microseconds * 1_000] }],
  );
  return {
    types: [
      ['samples', 'count'],
      ['cpu', 'nanoseconds'],
    ],
    displayType: 'cpu',
    samples: stacks,
    period: ['cpu', 'nanoseconds', samplingInterval * 1_000],
    time,
    duration: (endTime - startTime) / 1_000,
    comments: [],
  };
}
