import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';

/** An earlier rescheduling of an allocation. Times are in ns. */
export interface RescheduleEvent {
  readonly RescheduleTime: number | bigint;
  readonly PrevAllocID: string;
  readonly PrevNodeID: string;
  readonly Delay: number;
}

/** The decision about a failed allocation. */
export type RescheduleVerdict =
  { readonly kind: 'never' } | { readonly kind: 'now' } | { readonly kind: 'later'; readonly at: number };

type Policy = NonNullable<TaskGroup['ReschedulePolicy']>;

/** Maximum time by which rescheduling may be early, in ms. Prevents a second evaluation within a second. */
const window = 1_000;
/** Minimum delay, in ns. Prevents a task that fails immediately from being placed in a fast loop. */
const minDelay = 5_000_000_000;
const nanoseconds = 1_000_000;

/** Returns whether and when a failed allocation may be placed again; times are in ms since 1970. */
export function rescheduleVerdict(failed: Allocation, policy: Policy | null, now: number): RescheduleVerdict {
  if (failed.DesiredTransition.ForceReschedule === true) return { kind: 'now' };
  if (policy === null) return { kind: 'never' };
  // The clock of the client or of an earlier leader may have been ahead.
  const failedAt = Math.min(failureTime(failed), now);
  const events = reschedules(failed);
  if (!policy.Unlimited) {
    const since = failedAt - Number(policy.Interval) / nanoseconds;
    const recent = events.filter(({ RescheduleTime }) => Number(RescheduleTime) / nanoseconds > since);
    if (recent.length >= Number(policy.Attempts)) return { kind: 'never' };
  }
  const at = failedAt + nextDelay(events, policy, failedAt) / nanoseconds;
  return at <= now + window ? { kind: 'now' } : { kind: 'later', at };
}

/** Returns the delay before the next attempt, in ns. */
export function nextDelay(
  events: readonly RescheduleEvent[],
  policy: Policy | null,
  failedAt: number,
): number {
  if (policy === null) return 0;
  const base = Math.max(Number(policy.Delay), minDelay);
  const last = events.at(-1);
  const max = Number(policy.MaxDelay) > 0 ? Math.max(Number(policy.MaxDelay), minDelay) : Infinity;
  if (policy.DelayFunction === 'constant' || last === undefined) return base;
  // The delay starts over after the allocation has run for longer than the maximum delay.
  const stableFor = failedAt - Number(last.RescheduleTime) / nanoseconds;
  if (last.Delay >= max && stableFor > max / nanoseconds) return base;
  if (policy.DelayFunction === 'fibonacci') {
    const before = events.length < 2 ? 0 : (events.at(-2)?.Delay ?? 0);
    return Math.min(before === 0 ? base : last.Delay + before, max);
  }
  return Math.min(last.Delay * 2 || base, max);
}

/** Returns when the last task of an allocation ended, in ms, if known. */
function failureTime(failed: Allocation): number {
  let last = 0;
  for (const state of Object.values(failed.TaskStates ?? {})) {
    const at = Date.parse(state?.FinishedAt ?? '');
    if (at > last) last = at;
  }
  return last || Number(failed.ModifyTime) / nanoseconds;
}

/** Returns earlier attempts. Imported rows may contain any value. */
export function reschedules({ RescheduleTracker }: Allocation): readonly RescheduleEvent[] {
  const events = (RescheduleTracker as { readonly Events?: unknown } | null)?.Events;
  if (!Array.isArray(events)) return [];
  return events.filter(
    (event: unknown): event is RescheduleEvent =>
      typeof event === 'object' && event !== null && 'RescheduleTime' in event && 'Delay' in event,
  );
}

/** Maximum number of stored attempts. Prevents an allocation that fails for years from growing. */
const maxEvents = 32;

/** Returns the reschedule history for the replacement of a failed allocation. */
export function trackReschedule(
  failed: Allocation,
  policy: Policy | null,
  now: number,
): { readonly Events: readonly RescheduleEvent[] } {
  const events = reschedules(failed);
  const event: RescheduleEvent = {
    RescheduleTime: BigInt(Math.trunc(now)) * BigInt(nanoseconds),
    PrevAllocID: failed.ID,
    PrevNodeID: failed.NodeID,
    Delay: nextDelay(events, policy, failureTime(failed)),
  };
  return { Events: [...events, event].slice(-maxEvents) };
}
