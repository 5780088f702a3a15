import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Sample } from './sample.js';

type Labels = Readonly<Record<string, string>>;

/** A metric with several measurements. */
export type NamedSample = Sample & { readonly Name: string; readonly Labels: Labels };

/** All metrics at one moment, in the form that clients of the original scheduler know. Counts begin at the start of the agent. */
export interface MetricsSummary {
  /** Such as `2026-01-02 15:04:05 +0000 UTC`. */
  readonly Timestamp: string;
  readonly Gauges: readonly { readonly Name: string; readonly Value: number; readonly Labels: Labels }[];
  /** Clients expect this field; no metric here uses it. */
  readonly Points: readonly never[];
  readonly Counters: readonly NamedSample[];
  readonly Samples: readonly NamedSample[];
}

type Metric = MetricObjectWithValues<MetricValue<string>>;

/** Groups metrics by type. Histograms are omitted, because their measurements are among the samples. */
export function summarise(
  metrics: readonly Metric[],
  samples: readonly NamedSample[],
  now: number,
): MetricsSummary {
  const of = (type: string): readonly Metric[] => metrics.filter((metric) => String(metric.type) === type);
  return {
    Timestamp: new Date(now).toISOString().replace('T', ' ').replace(/\..*$/, ' +0000 UTC'),
    Gauges: of('gauge').flatMap(({ name, values }) =>
      values.map(({ value, labels }) => ({ Name: name, Value: value, Labels: textLabels(labels) })),
    ),
    Points: [],
    Counters: of('counter').flatMap(({ name, values }) =>
      values.map(({ value, labels }) => ({ Name: name, ...countOf(value), Labels: textLabels(labels) })),
    ),
    Samples: samples,
  };
}

/** Returns the value of a counter as a sample of that many steps of one. */
function countOf(value: number): Sample {
  const one = Math.min(value, 1);
  return { Count: value, Sum: value, Min: one, Max: one, Mean: one, Stddev: 0 };
}

function textLabels(labels: MetricValue<string>['labels']): Labels {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
