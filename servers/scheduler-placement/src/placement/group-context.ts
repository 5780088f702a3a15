import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import type { CurrentDeployment } from './current-deployment.js';
import type { OlderVersions } from './older-version.js';
import type { SortingContext } from './sort-allocations.js';
import type { SpecChange } from './spec-change.js';

/** The data that decisions about a group need. */
export interface GroupContext extends SortingContext {
  readonly name: string;
  readonly deployment: CurrentDeployment;
  readonly olderVersions: OlderVersions;
  /** Maximum number of listed placement requests. Prevents a count of a billion from filling the memory. */
  readonly maxRequests: number;
  /** Returns the change needed to update an allocation on its node to the current version. */
  readonly changeOf: (allocation: Allocation, group: TaskGroup) => SpecChange;
}
