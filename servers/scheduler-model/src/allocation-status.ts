import type { Allocation } from './allocation.js';

/** Statuses that the client of a node gives an allocation. */
export const clientStatuses = ['pending', 'running', 'complete', 'failed', 'lost', 'unknown'] as const;
export type ClientStatus = (typeof clientStatuses)[number];

export type Statuses = Pick<Allocation, 'DesiredStatus' | 'ClientStatus'>;

/** Whether the scheduler no longer wants it to run. */
export function isStopped({ DesiredStatus }: Pick<Allocation, 'DesiredStatus'>): boolean {
  return DesiredStatus === 'stop' || DesiredStatus === 'evict';
}

/** Whether nothing of it runs any more. */
export function isFinished({ ClientStatus }: Pick<Allocation, 'ClientStatus'>): boolean {
  return ClientStatus === 'complete' || ClientStatus === 'failed' || ClientStatus === 'lost';
}

/** Whether it is over, or is going to be. */
export function isTerminal(allocation: Statuses): boolean {
  return isStopped(allocation) || isFinished(allocation);
}

/** Whether it has been reported healthy; null while nothing has been said. */
export function healthOf({ DeploymentStatus }: Pick<Allocation, 'DeploymentStatus'>): boolean | null {
  return DeploymentStatus?.Healthy ?? null;
}

export function isCanary({ DeploymentStatus }: Pick<Allocation, 'DeploymentStatus'>): boolean {
  return DeploymentStatus?.Canary === true;
}
