import type { NodeTracing } from 'node:inspector';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { untilNotified } from '@tamis/scheduler-model/base/backoff.js';
import { openInspector } from './inspector.js';

/** The traced categories: the event loop, asynchronous work, the garbage collector. */
const categories = ['node', 'node.async_hooks', 'node.perf', 'v8'];
/** Maximum number of stored events. Prevents the trace of a busy server from filling the memory. */
const maxEvents = 500_000;

/**
 * Traces this process for some seconds. Returns the trace in Chrome's JSON format, the only one that Node.js supports.
 * ui.perfetto.dev and chrome://tracing open it.
 *
 * @throws SchedulerError `client-gone`
 */
export async function traceProcess(seconds: number, clock: Clock, signal: AbortSignal): Promise<string> {
  const session = openInspector();
  const events: unknown[] = [];
  let dropped = 0;
  session.on('NodeTracing.dataCollected', ({ params }) => {
    const { value } = params as NodeTracing.DataCollectedEventDataType;
    const freeBytes = maxEvents - events.length;
    events.push(...value.slice(0, freeBytes));
    dropped += Math.max(0, value.length - freeBytes);
  });
  try {
    const complete = new Promise<void>((resolve) =>
      session.once('NodeTracing.tracingComplete', () => resolve()),
    );
    await session.post('NodeTracing.start', { traceConfig: { includedCategories: categories } });
    try {
      await untilNotified<void>(signal, ({ resolve }) => clock.after(seconds * 1_000, resolve));
    } finally {
      await session.post('NodeTracing.stop');
    }
    await complete;
    return JSON.stringify({ traceEvents: events, metadata: { categories, dropped } });
  } finally {
    session.disconnect();
  }
}
