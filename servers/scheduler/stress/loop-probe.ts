/** Loaded into an agent before its own code: reports its event loop and its memory to the parent process. */
import { createLoopMonitor, type LoopReport } from './loop-monitor.js';

/** Its commands. */
export interface ProbeCall {
  readonly id: number;
  readonly method: 'observe' | 'report';
}

export interface ProbeReport extends LoopReport {
  /** Bytes, current and peak since the measurement began. */
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
// When the parent process is gone, this process must end itself.
process.on('disconnect', () => process.exit(0));
