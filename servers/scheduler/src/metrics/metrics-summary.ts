import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client';

type Labels = Readonly<Record<string, string>>;

/** The figures at one moment, in the form that clients of the scheduler know. */
export interface MetricsSummary {
  /** Such as `2026-01-02 15:04:05 +0000 UTC`. */
  readonly Timestamp: string;
  readonly Gauges: readonly { readonly Name: string; readonly Value: number; readonly Labels: Labels }[];
  readonly Counters: readonly { readonly Name: string; readonly Count: number; readonly Labels: Labels }[];
  readonly Samples: readonly {
    readonly Name: string;
    readonly Count: number;
    readonly Sum: number;
    readonly Mean: number;
    readonly Labels: Labels;
  }[];
}

type Metric = MetricObjectWithValues<MetricValue<string>>;

/** Sorts metrics by what they are. Of a histogram the number and the sum are shown, not its buckets. */
export function summarise(metrics: readonly Metric[], now: number): MetricsSummary {
  const of = (type: string): readonly Metric[] => metrics.filter((metric) => String(metric.type) === type);
  return {
    Timestamp: new Date(now).toISOString().replace('T', ' ').replace(/\..*$/, ' +0000 UTC'),
    Gauges: of('gauge').flatMap(({ name, values }) =>
      values.map(({ value, labels }) => ({ Name: name, Value: value, Labels: textLabels(labels) })),
    ),
    Counters: of('counter').flatMap(({ name, values }) =>
      values.map(({ value, labels }) => ({ Name: name, Count: value, Labels: textLabels(labels) })),
    ),
    Samples: of('histogram').flatMap(samplesOf),
  };
}

function samplesOf({ name, values }: Metric): MetricsSummary['Samples'] {
  const named = values as readonly MetricValueWithName<string>[];
  const sums = new Map(
    named
      .filter(({ metricName }) => metricName === `${name}_sum`)
      .map(({ labels, value }) => [JSON.stringify(labels), value]),
  );
  return named
    .filter(({ metricName }) => metricName === `${name}_count`)
    .map(({ labels, value: Count }) => {
      const Sum = sums.get(JSON.stringify(labels)) ?? 0;
      return { Name: name, Count, Sum, Mean: Count === 0 ? 0 : Sum / Count, Labels: textLabels(labels) };
    });
}

function textLabels(labels: MetricValue<string>['labels']): Labels {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}
