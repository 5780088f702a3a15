import { loadavg } from 'node:os';
import type { Metric } from '../../../http/stress/proof.js';

const interval = 10;

/** Measures the influence of the machine on times: the delay of this process's timers, and the number of runnable programs. */
export function startNoise(): () => readonly Metric[] {
  const late: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    late.push(Math.max(0, now - last - interval));
    last = now;
  }, interval);
  return () => {
    clearInterval(timer);
    const [load = 0] = loadavg();
    return [
      { name: 'noise: a timer is late, p99', value: percentile(late, 0.99), unit: 'ms' },
      { name: 'noise: a timer is late, most', value: percentile(late, 1), unit: 'ms' },
      { name: 'noise: load of the machine', value: load, unit: '' },
    ];
  };
}

/** Returns the quantile of the values; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
