import type { ProfileData, StackSample } from './pprof.js';

/** A request in progress. */
export interface RequestInFlight {
  readonly method: string;
  /** Without its query, which may contain private data. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The work of this process: its requests, and the open handles of the runtime. */
export interface ActiveWork {
  readonly requests: readonly RequestInFlight[];
  /** Kinds of handles and timers, such as `TCPSocketWrap`, one entry each. */
  readonly resources: readonly string[];
}

/**
 * Makes a profile with an entry, like that of a goroutine, for every request and every resource; a runtime with one
 * thread has no other.
 */
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

/** Every request and resource on a line of its own, the oldest first, with how long it has been there. */
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
 * The stack and the handles of the process report of Node. The rest of it stays out: it holds the whole environment and
 * the command line.
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
