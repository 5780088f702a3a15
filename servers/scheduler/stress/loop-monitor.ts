import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay, PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks';

/** A time in which the event loop did nothing else. */
export interface Standstill {
  /** When it was over, in milliseconds since 1970. */
  readonly end: number;
  readonly length: number;
  /** Of it, without the time in which the machine had no processor for it. */
  readonly own: number;
}

/** How the event loop of an agent did for a while. Milliseconds. */
export interface LoopReport {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
  /** The same without the time in which it waited for a processor; null if the system does not report it. */
  readonly own: { readonly p99: number; readonly p999: number; readonly max: number } | null;
  /**
   * The longest of these times without garbage collections; null if the system does not report it. Processor wait during a
   * collection is subtracted twice: on a busy machine this is a lower bound.
   */
  readonly work: number | null;
  /** Long stalls, in chronological order; empty if the system does not report its own part. */
  readonly standstills: readonly Standstill[];
  /** The longest garbage collection pause, in which nothing could run. */
  readonly maxGcMs: number;
  readonly gcCount: number;
  /** Time of the processor that the process has used meanwhile. */
  readonly cpu: number;
}

const nanosecondsPerMillisecond = 1_000_000;
/** Sampling interval of the monitor, in ms; its values are per interval. */
const resolution = 1;
/** Minimum duration of a stall that is listed, in ms. */
const longStandstill = 25;

/** Milliseconds that this thread was runnable but waited for a processor; null if unknown. */
function waitedForProcessor(): number | null {
  try {
    const [, waited] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ');
    return Number(waited) / nanosecondsPerMillisecond;
  } catch {
    return null;
  }
}

/** A collection of garbage, in milliseconds of this process. */
type Pause = Pick<PerformanceEntry, 'startTime' | 'duration'>;

/** Looks every millisecond how late it is, and how much of that was the machine. */
function createOwnDelays(): {
  start(): void;
  stop(pauses: readonly Pause[]): Pick<LoopReport, 'own' | 'work' | 'standstills'>;
} {
  let delays: number[] = [];
  /** The ends of these delays, in milliseconds of this process. */
  let ends: number[] = [];
  let standstills: Standstill[] = [];
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      delays = [];
      ends = [];
      standstills = [];
      let last = performance.now();
      let lastWaited = waitedForProcessor();
      if (lastWaited === null) return;
      timer = setInterval(() => {
        const now = performance.now();
        const waited = waitedForProcessor() ?? 0;
        const length = Math.max(0, now - last - resolution);
        const ownLength = Math.max(0, length - (waited - (lastWaited ?? 0)));
        delays.push(ownLength);
        ends.push(now);
        if (length >= longStandstill) standstills.push({ end: Date.now(), length, own: ownLength });
        last = now;
        lastWaited = waited;
      }, resolution);
    },
    stop(pauses) {
      clearInterval(timer);
      if (delays.length === 0) return { own: null, work: null, standstills };
      const work = delays.map((own, at) => {
        const end = ends[at] ?? 0;
        const start = ends[at - 1] ?? 0;
        const within = pauses.filter(({ startTime }) => startTime >= start && startTime < end);
        return own - within.reduce((sum, { duration }) => sum + duration, 0);
      });
      const sorted = delays.toSorted((a, b) => a - b);
      const at = (share: number): number =>
        sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      const max = work.reduce((maxMs, each) => Math.max(maxMs, each), 0);
      return { own: { p99: at(0.99), p999: at(0.999), max: at(1) }, work: max, standstills };
    },
  };
}

/** Watches the event loop of this process. */
export function createLoopMonitor(): { start(): void; stop(): LoopReport } {
  const delay = monitorEventLoopDelay({ resolution });
  const own = createOwnDelays();
  let pauses: PerformanceEntry[] = [];
  let cpuBefore = process.cpuUsage();
  const observer = new PerformanceObserver((list) => {
    pauses.push(...list.getEntries());
  });
  return {
    start() {
      pauses = [];
      observer.observe({ entryTypes: ['gc'] });
      cpuBefore = process.cpuUsage();
      delay.reset();
      delay.enable();
      own.start();
    },
    stop() {
      delay.disable();
      observer.disconnect();
      const { user, system } = process.cpuUsage(cpuBefore);
      const at = (percent: number): number =>
        Math.max(0, delay.percentile(percent) / nanosecondsPerMillisecond - resolution);
      return {
        p50: at(50),
        p99: at(99),
        p999: at(99.9),
        max: at(100),
        ...own.stop(pauses),
        maxGcMs: Math.max(0, ...pauses.map(({ duration }) => duration)),
        gcCount: pauses.length,
        cpu: (user + system) / 1_000,
      };
    },
  };
}
