import { t } from 'tamis';
import { allocationShape } from '../allocation.js';
import { fieldsOf, type Input } from '../row-type.js';

const { ID, ClientStatus, ClientDescription, TaskStates, AllocStates, NetworkStatus } =
  fieldsOf(allocationShape);
const { DeploymentID, DeploymentStatus } = fieldsOf(allocationShape);

/** What a client reports of one allocation. What is absent stays as it is. */
export const allocationUpdateShape = t.struct({
  ID,
  ClientStatus,
  ClientDescription,
  TaskStates,
  AllocStates,
  /** The deployment that the health was found out for; without it, the one that the allocation is part of. */
  DeploymentID,
  DeploymentStatus,
  NetworkStatus,
});

export type AllocationUpdate = Input<typeof allocationUpdateShape>;
