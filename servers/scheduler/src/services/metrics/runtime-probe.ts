import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/** A probe of the runtime. */
export type RuntimeProbe = ReturnType<typeof createRuntimeProbe>;

/** Interval between checks of the event loop, in ms. */
const resolution = 20;
const nanosecondsPerSecond = 1e9;
const percentiles = [50, 90, 99, 100] as const;

export function createRuntimeProbe() {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  return {
    /** Returns timer delays since the last read, in seconds, by percentile. */
    eventLoopDelay(): ReadonlyMap<string, number> {
      const idle = delay.count === 0;
      const found = percentiles.map((percent) => {
        // Measures the time between two samples; the delay is the excess over the requested interval.
        const late = idle ? 0 : delay.percentile(percent) / nanosecondsPerSecond - resolution / 1_000;
        return [String(percent), Math.max(0, late)] as const;
      });
      delay.reset();
      return new Map(found);
    },
    /** Returns memory use in bytes, by purpose. */
    memory(): ReadonlyMap<string, number> {
      const heap = getHeapStatistics();
      return new Map([
        ['heap_used', heap.used_heap_size],
        ['heap_total', heap.total_heap_size],
        ['heap_limit', heap.heap_size_limit],
        ['external', heap.external_memory],
      ]);
    },
    close: (): void => void delay.disable(),
  };
}
