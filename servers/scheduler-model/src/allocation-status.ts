import type { Allocation } from './allocation.js';

/** Statuses of an allocation that the client of its node reports. */
export const clientStatuses = ['pending', 'running', 'complete', 'failed', 'lost', 'unknown'] as const;
export type ClientStatus = (typeof clientStatuses)[number];

export type Statuses = Pick<Allocation, 'DesiredStatus' | 'ClientStatus'>;

/** Whether the scheduler wants the allocation stopped. */
export function isStopped({ DesiredStatus }: Pick<Allocation, 'DesiredStatus'>): boolean {
  return DesiredStatus === 'stop' || DesiredStatus === 'evict';
}

/** Whether no task of the allocation runs any more. */
export function isFinished({ ClientStatus }: Pick<Allocation, 'ClientStatus'>): boolean {
  return ClientStatus === 'complete' || ClientStatus === 'failed' || ClientStatus === 'lost';
}

/** Whether the allocation has finished or is being stopped. */
export function isTerminal(allocation: Statuses): boolean {
  return isStopped(allocation) || isFinished(allocation);
}

/** Whether the allocation was reported healthy; null before the first report. */
export function healthOf({ DeploymentStatus }: Pick<Allocation, 'DeploymentStatus'>): boolean | null {
  return DeploymentStatus?.Healthy ?? null;
}

export function isCanary({ DeploymentStatus }: Pick<Allocation, 'DeploymentStatus'>): boolean {
  return DeploymentStatus?.Canary === true;
}
