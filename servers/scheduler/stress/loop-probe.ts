/** Loaded into an agent before its own code: tells whoever started it how its event loop and its memory do. */
import { createLoopMonitor, type LoopReport } from './loop-monitor.js';

/** What is asked of it. */
export interface ProbeCall {
  readonly id: number;
  readonly method: 'observe' | 'report';
}

export interface ProbeReport extends LoopReport {
  /** Bytes, now and at most since the watch began. */
  readonly rss: number;
  readonly peakRss: number;
}

/** Milliseconds between two looks at the memory. */
const memoryInterval = 50;

const loop = createLoopMonitor();
let peakRss = 0;
const look = (): void => void (peakRss = Math.max(peakRss, process.memoryUsage.rss()));
setInterval(look, memoryInterval).unref();

process.on('message', ({ id, method }: ProbeCall) => {
  if (method === 'observe') {
    peakRss = 0;
    loop.start();
    process.send?.({ id });
    return;
  }
  const report = loop.stop();
  look();
  process.send?.({ id, result: { ...report, rss: process.memoryUsage.rss(), peakRss } });
});
// Nobody is left to end this process when the one that started it is gone.
process.on('disconnect', () => process.exit(0));
