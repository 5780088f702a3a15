import { every, type Clock } from '../base/clock.js';
import type { ClockReport } from '../base/clocks.js';
import type { Logger } from '../base/logger.js';

/** Decides whether this server may be active, depending on its audit log. */
export type AuditStanding = ReturnType<typeof createAuditStanding>;

export interface AuditStandingOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns why the audit log cannot be written; null if it can, or if there is no log. */
  readonly problem: () => Promise<string | null>;
  readonly isActive: () => boolean;
  /** Called when this server gains or loses the permission to be active. */
  readonly allow: (mayLead: boolean) => void;
}

/** Interval between checks, in ms. */
const interval = 1_000;
/** Time for which the report of a standby is valid, in ms. Standbys report every second. */
const reportTime = 5_000;
/** Maximum number of standbys remembered. */
const maxReports = 100;

/**
 * Allows a server to be active only if it can write its audit log. An active server that cannot write continues until a standby
 * reports that it can. Then it yields, and campaigns again only when it can write. So two servers with full disks do not take
 * turns.
 */
export function createAuditStanding(options: AuditStandingOptions) {
  const { clock, logger } = options;
  /** Time of the last report of each standby that can audit, in ms since 1970. */
  const able = new Map<string, number>();
  let canAudit = true;
  let mayLead = true;
  let isClosed = false;
  const stop = every(clock, interval, look);

  function hasAbleStandby(): boolean {
    for (const [address, at] of able) if (Math.abs(clock.now() - at) > reportTime) able.delete(address);
    return able.size > 0;
  }

  async function look(): Promise<void> {
    canAudit = (await options.problem().catch(() => 'unknown')) === null;
    if (isClosed) return;
    const next = canAudit || (options.isActive() && !hasAbleStandby());
    if (next !== mayLead) {
      mayLead = next;
      if (!mayLead)
        logger.error({}, 'this server is not a candidate for election: it cannot write its audit log');
      else logger.warn({}, 'this server is a candidate for election again: it can write its audit log');
      options.allow(mayLead);
    }
  }

  return {
    /** Whether this server can write its audit log, according to a recent check. */
    canAudit: (): boolean => canAudit,
    /** Processes the clock report of a standby, which says whether it can write its audit log. */
    learn({ address, canAudit: isAble }: ClockReport): void {
      able.delete(address);
      if (isAble === true && able.size < maxReports) able.set(address, clock.now());
    },
    close(): void {
      isClosed = true;
      void stop();
    },
  };
}
