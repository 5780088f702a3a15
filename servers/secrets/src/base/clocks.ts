import type { Clock } from './clock.js';

/** The report of a standby to the active server: its address, and by how much its clock is ahead, if known. */
export interface ClockReport {
  readonly address: string;
  /** Milliseconds by which the clock of the standby is ahead of that of the active server; negative if it lags. */
  readonly ahead: number | null;
  /** Whether it can write its audit log; missing in the active server's reports about others. */
  readonly canAudit?: boolean;
}

/** The response of the active server: its time, and how far others are ahead of it. */
export interface ClockResponse {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly others: readonly ClockReport[];
}

/** Compares the clocks of the servers that share a store. If at least three clocks are known, their median counts as right. */
export type Clocks = ReturnType<typeof createClocks>;

/** Maximum difference between clocks, in ms. */
const tolerance = 10_000;
/** Maximum round-trip time of a request, in ms. If it takes longer, the time in the response is meaningless. */
const maxQueryLength = 1_000;
/** Time after its last report from which a clock is ignored, in ms. */
const memory = 30_000;
/** Time in which the other servers report their clocks after a jump, in ms. */
const settleTime = 3_000;
/** Minimum number of clocks for which a median is meaningful. */
const quorum = 3;

/** Creates the comparison of clocks. @param address the address of this server for the other servers. */
export function createClocks(address: string, { now, elapsed }: Pick<Clock, 'now' | 'elapsed'>) {
  const reports = new Map<string, { readonly ahead: number; readonly received: number }>();
  let measured: { readonly active: string; readonly ahead: number; readonly received: number } | null = null;
  let isApart = false;
  let offset = now() - elapsed();
  let jumpedAt = -Infinity;
  const listeners = new Set<() => void>();

  function known(): readonly { readonly address: string; readonly ahead: number }[] {
    for (const [each, { received }] of reports) if (Math.abs(now() - received) > memory) reports.delete(each);
    return [...reports].map(([each, { ahead }]) => ({ address: each, ahead }));
  }

  function own(): number | null {
    return measured === null || Math.abs(now() - measured.received) > memory ? null : measured.ahead;
  }

  /** Whether a clock that this server uses has just been set. Others may still report that it is wrong. */
  function hasJumped(): boolean {
    const before = offset;
    offset = now() - elapsed();
    if (Math.abs(offset - before) > tolerance) jumpedAt = elapsed();
    return elapsed() - jumpedAt < settleTime;
  }

  /**
   * Decides whether this clock differs too much. @param ahead time by which it is ahead of the active server, in ms; null if this
   * server is active. @param others the same for all other clocks.
   */
  function judge(ahead: number | null, others: readonly number[]): void {
    const all = [0, ...(ahead === null ? [] : [ahead]), ...others].sort((a, b) => a - b);
    if (all.length < quorum) return;
    const middle = all[Math.floor((all.length - 1) / 2)] ?? 0;
    const judged = Math.abs((ahead ?? 0) - middle) > tolerance;
    if (judged === isApart) return;
    isApart = judged;
    for (const listener of [...listeners]) listener();
  }

  return {
    /** Records the report of a standby on the active server, and returns its response. */
    respond(report: ClockReport): ClockResponse {
      measured = null;
      if (report.ahead !== null) reports.set(report.address, { ahead: report.ahead, received: now() });
      const others = known();
      judge(
        null,
        others.map(({ ahead }) => ahead),
      );
      return { time: now(), others };
    },
    /** Returns the report of this server to the active server at an address. */
    report: (active: string): ClockReport => ({
      address,
      ahead: measured?.active === active ? measured.ahead : null,
    }),
    /** Processes the response of the active server on a standby. `sent` and `received` are times of the standby's own clock. */
    learn(active: string, { time, others }: ClockResponse, sent: number, received: number): void {
      if (received < sent || received - sent > maxQueryLength) return;
      const ahead = Math.round((sent + received) / 2 - time);
      // If the clock of this server was not set, then that of the active server was.
      const isOther = measured?.active === active && Math.abs(ahead - measured.ahead) > tolerance;
      if (isOther && !hasJumped()) jumpedAt = elapsed();
      measured = { active, ahead, received: received };
      reports.clear();
      const rest = others.filter((each) => each.address !== address).map((each) => each.ahead ?? 0);
      judge(ahead, rest);
    },
    /**
     * Returns by how much this clock is ahead of that of the active server, in ms; null if this server is active or nothing is
     * known.
     */
    ahead: own,
    /** Whether this clock differs too much from most others. If so, this server must not decide which tokens have expired. */
    isApart: (): boolean => isApart,
    hasJumped,
    warnings(): readonly string[] {
      const far = known().filter(({ ahead }) => Math.abs(ahead) > tolerance);
      const ahead = own() ?? 0;
      return [
        ...(Math.abs(ahead) > tolerance
          ? [`the clock of this server is ${describe(ahead)} that of the active server`]
          : []),
        ...far.map(
          (each) =>
            `the clock of the server at ${each.address} is ${describe(each.ahead)} that of this server`,
        ),
        ...(isApart
          ? ['this server is not a candidate for election: its clock differs from those of most servers']
          : []),
      ];
    },
    /** Calls `listener` when the result of {@link isApart} changes. */
    subscribe: (listener: () => void): void => void listeners.add(listener),
  };
}

function describe(ahead: number): string {
  return `${Math.round(Math.abs(ahead) / 1_000)} seconds ${ahead > 0 ? 'ahead of' : 'behind'}`;
}
