import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import type { CurrentDeployment } from './current-deployment.js';
import type { OlderVersions } from './older-version.js';
import type { SortingContext } from './sort-allocations.js';
import type { SpecChange } from './spec-change.js';

/** The context that decides what becomes of a group. */
export interface GroupContext extends SortingContext {
  readonly name: string;
  readonly deployment: CurrentDeployment;
  readonly olderVersions: OlderVersions;
  /** Most new allocations that are listed. Stops a count of a billion from filling the memory. */
  readonly maxRequests: number;
  /** The change that brings an allocation to the current version, on its node. */
  readonly changeOf: (allocation: Allocation, group: TaskGroup) => SpecChange;
}
