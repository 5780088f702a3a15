import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import type { OlderVersion } from './older-version.js';

/** The reasons for which allocations stop, as their rows show them. */
export const stopTexts = Object.freeze({
  notNeeded: 'alloc not needed due to job update',
  migrating: 'alloc is being migrated',
  rescheduled: 'alloc was rescheduled because it failed',
  lost: 'alloc is lost since its node is down',
  updating: 'alloc is being updated due to job update',
  nodeTainted: 'alloc not needed as node is tainted',
});

/** A request for an allocation. */
export interface PlacementRequest {
  readonly name: string;
  /** The one whose place it takes, which stops when this one has a place. */
  readonly replaces: Replacement | null;
  readonly isCanary: boolean;
  /** The version that it is of; null for the current one. */
  readonly older: OlderVersion | null;
}

export interface Replacement {
  readonly allocation: Allocation;
  readonly why: 'lost' | 'migrating' | 'failed' | 'updating';
}

/** Requests of one version beyond those listed. */
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
  /** Null for a group that the job no longer has. */
  readonly group: TaskGroup | null;
  readonly requests: readonly PlacementRequest[];
  /** Requests beyond those listed: a count may be anything. */
  readonly further: readonly Further[];
  readonly stops: readonly Stop[];
  /** Allocations of older versions that become the current one where they are. */
  readonly inPlace: readonly Allocation[];
  /** Failed allocations to be placed again later, and when, in milliseconds. */
  readonly later: readonly { readonly allocation: Allocation; readonly at: number }[];
  /** Canaries that the current deployment is to have for this group. */
  readonly canaries: number;
  /** Whether this is the first time that the group runs in this version. */
  readonly startsVersion: boolean;
}
