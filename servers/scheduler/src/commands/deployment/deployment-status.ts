import { writeJson } from '@tamis/http';
import type { Deployment } from '../../model/deployment.js';
import { tableLines } from '../../terminal/table.js';
import { allocationColumns, type AllocationRow } from '../alloc/allocation-table.js';
import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { watchDeployment } from '../job/watch-job.js';
import { shortId, widthOfScreen, writeLines, type Session } from '../session.js';
import { deploymentLines, waitsForPromotion } from './deployment-view.js';

/** `deployment status` */
export async function showDeployment(session: Session, given: Given): Promise<number | undefined> {
  const id = await findId(session, 'deployment', given.required('DEPLOYMENT'));
  if (given.has('watch')) return watchDeployment(session, id);
  return showDeploymentOf(session, id);
}

export async function showDeploymentOf(session: Session, id: string): Promise<undefined> {
  const { api, palette } = session;
  const [{ body: deployment }, { body: allocations }] = await Promise.all([
    api.get<Deployment>(`/v1/deployment/${id}`),
    api.get<readonly AllocationRow[]>(`/v1/deployment/allocations/${id}`),
  ]);
  if (session.isJson) {
    await session.out.write(`${writeJson({ Deployment: deployment, Allocations: allocations }, 2)}\n`);
    return undefined;
  }
  const layout = { width: widthOfScreen(session), palette };
  const hint = waitsForPromotion(deployment)
    ? [
        '',
        palette.faint(
          `scheduler deployment promote ${shortId(id, session)} lets the rest follow the canaries`,
        ),
      ]
    : [];
  await writeLines(session, [
    ...deploymentLines(session, deployment),
    ...(allocations.length === 0 ? [] : ['', ...tableLines(allocationColumns(session), allocations, layout)]),
    ...hint,
  ]);
  return undefined;
}
