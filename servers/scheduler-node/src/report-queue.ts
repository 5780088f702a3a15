import { reasonOf } from '@tamis/scheduler-model/base/errors.js';
import type { Logger } from 'pino';
import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import type { AllocationUpdate } from '@tamis/scheduler-model/wire/allocation-update.js';
import type { AllocationReport } from './allocation-runner.js';
import { inTime, type Retry } from './retry.js';
import type { ServerLink } from './server-link.js';

export interface ReportQueueDependencies {
  readonly link: Pick<ServerLink, 'update'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  readonly retry: Retry;
  /** Aborted when the client closes: tasks stopped with the agent are not finished. */
  readonly signal: AbortSignal;
}

/** Maximum number of reports per request. Prevents a node with many allocations from blocking its servers. */
const maxReports = 64;
/** Delay of reports in ms, so that a burst of changes is one write. */
const reportDelay = 200;

/** Queue of reports to the servers, with the latest report per allocation. */
export function createReportQueue(dependencies: ReportQueueDependencies) {
  const { clock, link, logger, retry, signal } = dependencies;
  const queue = new Map<string, AllocationReport>();
  let isSending = false;

  function add(report: AllocationReport): void {
    if (signal.aborted) return;
    queue.set(report.ID, report);
    if (isSending) return;
    isSending = true;
    clock.after(reportDelay, () => void send());
  }

  async function send(): Promise<void> {
    const reports = [...queue.values()].slice(0, maxReports);
    for (const { ID } of reports) queue.delete(ID);
    // Servers may be away for long; the report then contains the current state.
    const latest = (): readonly AllocationReport[] => reports.map((report) => queue.get(report.ID) ?? report);
    const update = (): Promise<unknown> =>
      inTime(clock, link.update(latest() as readonly AllocationUpdate[]));
    try {
      await retry('reporting allocations', update);
    } catch (error) {
      logger.warn({ reason: reasonOf(error) }, 'the servers refuse what became of allocations');
    }
    isSending = false;
    const [next] = queue.values();
    if (next !== undefined) add(next);
  }

  return { add };
}
