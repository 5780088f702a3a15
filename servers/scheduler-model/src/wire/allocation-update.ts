import { t } from 'tamis';
import { allocationShape } from '../allocation.js';
import { fieldsOf, type Input } from '../row-type.js';

const { ID, ClientStatus, ClientDescription, TaskStates, AllocStates, NetworkStatus } =
  fieldsOf(allocationShape);
const { DeploymentID, DeploymentStatus } = fieldsOf(allocationShape);

/** A client's report about one allocation. Missing fields stay unchanged. */
export const allocationUpdateShape = t.struct({
  ID,
  ClientStatus,
  ClientDescription,
  TaskStates,
  AllocStates,
  /** The deployment for which the health was determined; defaults to the allocation's own. */
  DeploymentID,
  DeploymentStatus,
  NetworkStatus,
});

export type AllocationUpdate = Input<typeof allocationUpdateShape>;
