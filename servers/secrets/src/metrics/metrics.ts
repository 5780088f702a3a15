import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ApiRequest } from '../api/request.js';
import type { WriteHealth } from '../storage/write-health.js';

/** The metrics of a server, in the text format of Prometheus. They are kept while the server is sealed. */
export interface Metrics {
  /** Counts a completed request. @param seconds its duration. */
  observe(request: Pick<ApiRequest, 'operation' | 'path'>, status: number, seconds: number): void;
  text(): Promise<string>;
  /** The media type of the text. */
  readonly contentType: string;
}

export interface MetricsOptions {
  /** Paths of mounts below `auth/`. */
  readonly mounts: readonly string[];
  readonly writeHealth: readonly WriteHealth[];
  /** Returns the number of the key that encrypts new entries; null while the server is sealed. */
  readonly keyTerm: () => number | null;
}

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Creates the metrics. Label values come from the configuration and from fixed lists, never from a request. */
export function createMetrics({ mounts, writeHealth, keyTerm }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // The default gauges have names of counters. The metrics without `_total` contain the same values, by type.
  for (const kind of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  const requests = new Counter({
    name: 'secrets_requests_total',
    help: 'Requests below /v1/ with a response.',
    registers,
    labelNames: ['operation', 'status'],
  });
  const durations = new Histogram({
    name: 'secrets_request_duration_seconds',
    help: 'Time until the response.',
    registers,
    labelNames: ['operation'],
    buckets,
  });
  const logins = new Counter({
    name: 'secrets_logins_total',
    help: 'Logins with a response.',
    registers,
    labelNames: ['mount', 'status'],
  });
  const loginPaths = new Map(mounts.map((path) => [`auth/${path}/login`, path]));
  new Gauge({
    name: 'secrets_key_term',
    help: 'Number of the key that encrypts new entries.',
    registers,
    collect() {
      this.set(keyTerm() ?? 0);
    },
  });
  new Gauge({
    name: 'secrets_disk_writable',
    help: '1 if the disk is writable, else 0.',
    registers,
    labelNames: ['disk'],
    async collect() {
      for (const each of writeHealth) this.set({ disk: each.name }, (await each.problem()) === null ? 1 : 0);
    },
  });
  new Gauge({
    name: 'secrets_disk_free_bytes',
    help: 'Bytes that can still be written to the disk.',
    registers,
    labelNames: ['disk'],
    async collect() {
      for (const each of writeHealth) {
        const free = await each.free();
        if (free === null) this.remove({ disk: each.name });
        else this.set({ disk: each.name }, free);
      }
    },
  });
  return {
    observe({ operation, path }, status, seconds) {
      const group = `${Math.floor(status / 100)}xx`;
      requests.inc({ operation, status: group });
      durations.observe({ operation }, seconds);
      const mount = operation === 'write' ? loginPaths.get(path) : undefined;
      if (mount !== undefined) logins.inc({ mount, status: group });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
