import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { LeaderContact } from '@tamis/scheduler-state/cluster/leadership.js';
import type { Snapshot } from '@tamis/scheduler-state/state/snapshot.js';
import { tableNames } from '@tamis/scheduler-state/state/tables.js';
import { summarise, type MetricsSummary } from './metrics-summary.js';
import { createSample, type SampleBuilder } from './sample.js';
import type { RuntimeProbe } from './runtime-probe.js';

/** The metrics of an agent. The agent defines all label values, and they are few: clients cannot create new ones. */
export type Metrics = ReturnType<typeof createMetrics>;

export interface CompletedRequest {
  readonly method: string;
  /** Route, not path; empty if none exists. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** Whether it is a blocking query, whose duration is not meaningful. */
  readonly blocking: boolean;
}

/** The sources of the metrics. */
export interface MetricsSources {
  /** Null on an agent without server mode. */
  readonly state: StateSource | null;
  readonly inFlight: () => number;
  readonly runtime: RuntimeProbe;
  /** Returns ms since 1970. */
  readonly now: () => number;
}

export interface StateSource {
  readonly snapshot: () => Snapshot;
  /** Returns the number of blocked reads. */
  readonly waiting: () => number;
  readonly contact: () => LeaderContact;
}

const durationName = 'scheduler_http_request_duration_seconds';

/** Upper bounds in seconds. Lists take a few ms; only streams and profiles exceed the last one. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export function createMetrics(sources: MetricsSources) {
  // A separate registry, so that two agents in one process do not count for each other.
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'scheduler_http_requests_total',
    help: 'Responses, by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const duration = new Histogram({
    name: durationName,
    help: 'Time from the request to the end of its response, without requests that wait for a change.',
    labelNames: ['route'],
    buckets,
    registers,
  });
  const streams = new Gauge({
    name: 'scheduler_http_streams',
    help: 'Streams of things as they happen that are open, by route.',
    labelNames: ['route'],
    registers,
  });
  /** Durations by route, because the histogram only has buckets. */
  const durations = new Map<string, SampleBuilder>();
  const filters = new Map<string, { readonly size: number }>();
  let evaluations: () => MetricValues = () => [];
  const gauges = createGauges(registers);
  addAgentGauges(gauges, sources);
  if (sources.state !== null) {
    addStateGauges(gauges, sources.state, filters);
    gauges.each(
      'evaluations_held',
      'Evaluations that the workers hold, by what they wait for.',
      'state',
      () => evaluations(),
    );
  }
  return {
    /** Counts a completed request. */
    requestCompleted({ method, route, status, seconds, blocking }: CompletedRequest): void {
      const known = route === '' ? 'none' : route;
      requests.inc({ method, route: known, status });
      if (blocking) return;
      duration.observe({ route: known }, seconds);
      const sample = durations.get(known) ?? createSample();
      durations.set(known, sample);
      sample.add(seconds);
    },
    /** Counts a live stream until the returned function is called. */
    streaming(route: string): () => void {
      streams.inc({ route });
      return () => streams.dec({ route });
    },
    /** Monitors a cache of filters. */
    watchFilters: (list: string, cache: { readonly size: number }): void => void filters.set(list, cache),
    /** Monitors how many evaluations the workers hold, by wait reason. */
    watchEvaluations: (read: () => MetricValues): void => void (evaluations = read),
    /** Returns the Prometheus text format, 0.0.4. */
    text: (): Promise<string> => registry.metrics(),
    contentType: registry.contentType,
    /** Returns the metrics as an object. */
    async summary(): Promise<MetricsSummary> {
      const samples = [...durations].map(([route, sample]) => {
        return { Name: durationName, ...sample.current(), Labels: { route } };
      });
      return summarise(await registry.getMetricsAsJSON(), samples, sources.now());
    },
    close: () => sources.runtime.close(),
  };
}

/** Adds gauges that are read on request. Each has at most one label. */
type Gauges = ReturnType<typeof createGauges>;

/** Metric values with their label. */
type MetricValues = Iterable<readonly [value: string, figure: number]>;

function createGauges(registers: Registry[]) {
  return {
    one: (name: string, help: string, read: () => number): void => {
      new Gauge({
        name: `scheduler_${name}`,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    each: (name: string, help: string, label: string, read: () => MetricValues): void => {
      new Gauge({
        name: `scheduler_${name}`,
        help,
        labelNames: [label],
        registers,
        collect() {
          for (const [value, figure] of read()) this.set({ [label]: value }, figure);
        },
      });
    },
  };
}

function addAgentGauges({ one, each }: Gauges, { inFlight, runtime }: MetricsSources): void {
  one('http_requests_in_flight', 'Requests in progress.', inFlight);
  each('event_loop_delay_seconds', 'How late timers were since the last look.', 'percentile', () =>
    runtime.eventLoopDelay(),
  );
  each('memory_bytes', 'Memory of the runtime.', 'kind', () => runtime.memory());
}

function addStateGauges(
  { one, each }: Gauges,
  { contact, snapshot, waiting }: StateSource,
  filters: ReadonlyMap<string, { readonly size: number }>,
): void {
  one('blocking_queries', 'Reads that wait for a change.', waiting);
  one('state_index', 'Index of the last write.', () => snapshot().index);
  one('leader_known', 'Whether this server knows the leader: 1 or 0.', () => Number(contact().knownLeader));
  one(
    'leader_contact_seconds',
    'For how long writes of the leader may have gone unheard here.',
    () => contact().lastContact / 1_000,
  );
  each('table_rows', 'Rows of each table.', 'table', () => {
    const { tables } = snapshot();
    return tableNames.map((name) => [name, tables[name].primary.size] as const);
  });
  each('table_index', 'Index of the last write to each table.', 'table', () => {
    const { tableIndexes } = snapshot();
    return tableNames.map((name) => [name, tableIndexes[name]] as const);
  });
  each('filter_cache_filters', 'Compiled filters that are kept, by list.', 'list', () =>
    [...filters].map(([list, { size }]) => [list, size] as const),
  );
}
