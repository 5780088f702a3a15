import type { Deployment } from '@tamis/scheduler-model/deployment.js';
import { tableLines } from '../terminal/table.js';
import { allocationColumns, type AllocationRow } from '../views/allocation-table.js';
import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { watchDeployment } from '../job/watch-job.js';
import { shortId, writeResponse, type Session } from '../session.js';
import { deploymentLines, waitsForPromotion } from '../views/deployment-view.js';

/** `deployment status` */
export async function printDeployment(session: Session, given: Given): Promise<number | void> {
  const id = await findId(session, 'deployment', given.required('DEPLOYMENT'));
  if (given.has('watch')) return watchDeployment(session, id);
  return printDeploymentOf(session, id);
}

export async function printDeploymentOf(session: Session, id: string): Promise<void> {
  const { api, layout, palette } = session;
  const [{ body: deployment }, { body: allocations }] = await Promise.all([
    api.get<Deployment>(`/v1/deployment/${id}`),
    api.get<readonly AllocationRow[]>(`/v1/deployment/allocations/${id}`),
  ]);
  const promote = `scheduler deployment promote ${shortId(id, session)} replaces the other allocations`;
  await writeResponse(session, { Deployment: deployment, Allocations: allocations }, () => [
    ...deploymentLines(session, deployment),
    ...(allocations.length === 0 ? [] : ['', ...tableLines(allocationColumns(session), allocations, layout)]),
    ...(waitsForPromotion(deployment) ? ['', palette.faint(promote)] : []),
  ]);
}
