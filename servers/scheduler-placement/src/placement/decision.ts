import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import type { OlderVersion } from './older-version.js';

/** Descriptions of the reasons why allocations are stopped, stored in their rows. */
export const stopTexts = Object.freeze({
  notNeeded: 'alloc not needed due to job update',
  migrating: 'alloc is being migrated',
  rescheduled: 'alloc was rescheduled because it failed',
  lost: 'alloc is lost since its node is down',
  updating: 'alloc is being updated due to job update',
  nodeTainted: 'alloc not needed as node is tainted',
});

/** A requested allocation. */
export interface PlacementRequest {
  readonly name: string;
  /** The allocation to replace. It is stopped once the new one is placed. */
  readonly replaces: Replacement | null;
  readonly isCanary: boolean;
  /** Version of the allocation; null for the current one. */
  readonly older: OlderVersion | null;
}

export interface Replacement {
  readonly allocation: Allocation;
  readonly why: 'lost' | 'migrating' | 'failed' | 'updating';
}

/** A number of further requests that are not listed, with their job version. */
export interface Further {
  readonly count: number;
  readonly isCanary: boolean;
  readonly older: OlderVersion | null;
}

export interface Stop {
  readonly allocation: Allocation;
  readonly description: string;
  readonly isLost: boolean;
}

/** The decision about one task group. */
export interface GroupDecision {
  readonly name: string;
  /** The group; null if the job no longer has it. */
  readonly group: TaskGroup | null;
  readonly requests: readonly PlacementRequest[];
  /** Numbers of further requests. They are not listed, because a count can be any number. */
  readonly further: readonly Further[];
  readonly stops: readonly Stop[];
  /** Allocations of older versions to update in place. */
  readonly inPlace: readonly Allocation[];
  /** Failed allocations to reschedule later, with the time in ms. */
  readonly later: readonly { readonly allocation: Allocation; readonly at: number }[];
  /** Number of canaries that the current deployment wants for this group. */
  readonly canaries: number;
  /** Whether the group runs in this version for the first time. */
  readonly startsVersion: boolean;
}
