import type { Deployment } from './deployment.js';

const activeStatuses: ReadonlySet<string> = new Set([
  'initializing',
  'pending',
  'running',
  'paused',
  'blocked',
  'unblocking',
]);

/** Whether a deployment is still active. */
export function isActiveDeployment({ Status }: Pick<Deployment, 'Status'>): boolean {
  return activeStatuses.has(Status);
}
