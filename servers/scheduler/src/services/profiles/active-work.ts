import type { ProfileData, StackSample } from './pprof.js';

/** A request in progress. */
export interface RequestInFlight {
  readonly method: string;
  /** Without its query, which may contain private data. */
  readonly path: string;
  /** Arrival time in ms since 1970. */
  readonly since: number;
}

/** The work of this process: its requests and the open handles of Node.js. */
export interface ActiveWork {
  readonly requests: readonly RequestInFlight[];
  /** Types of handles and timers, such as `TCPSocketWrap`, one entry each. */
  readonly resources: readonly string[];
}

/** Returns a profile with one entry per request and handle, instead of goroutines: Node.js has a single thread. */
export function profileActiveWork({ requests, resources }: ActiveWork, now: number): ProfileData {
  const counts = new Map<string, number>();
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { method, path } of requests) add(`request ${method} ${path}`);
  for (const kind of resources) add(`resource ${kind}`);
  const samples: StackSample[] = [...counts].map(([name, count]) => ({
    stack: [{ name, file: '(runtime)', line: 0 }],
    values: [count],
  }));
  return {
    types: [['goroutine', 'count']],
    displayType: 'goroutine',
    samples,
    period: ['goroutine', 'count', 1],
    time: now,
    duration: 0,
    comments: ['the runtime has one thread and no goroutines: requests in flight and open resources instead'],
  };
}

/** Describes each request and handle on its own line, oldest first, with its age. */
export function describeActiveWork({ requests, resources }: ActiveWork, now: number, report: string): string {
  const sorted = [...requests].sort((a, b) => a.since - b.since);
  return [
    `requests in flight: ${requests.length}`,
    ...sorted.map(({ method, path, since }) => `  ${method} ${path}, for ${Math.max(0, now - since)} ms`),
    '',
    `open resources: ${resources.length}`,
    ...resources.map((kind) => `  ${kind}`),
    '',
    report,
  ].join('\n');
}

/**
 * Returns the stack and handles from Node's process report. The rest is omitted, because it contains the environment and the
 * command line.
 */
export function summariseReport(report: unknown): string {
  const { javascriptStack, libuv } = (report ?? {}) as {
    readonly javascriptStack?: { readonly stack?: readonly string[] };
    readonly libuv?: readonly { readonly type?: string; readonly is_active?: boolean }[];
  };
  const handles = (libuv ?? []).map(
    ({ type, is_active: active }) => `  ${type}${active === true ? '' : ' (idle)'}`,
  );
  return [
    'stack:',
    ...(javascriptStack?.stack ?? []).map((line) => `  ${line}`),
    '',
    'handles:',
    ...handles,
    '',
  ].join('\n');
}
