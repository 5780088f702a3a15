import { writeJson } from '@tamis/http';
import type { Deployment } from '../../model/deployment.js';
import { formatAge, millisecondsOf } from '../../terminal/ages.js';
import { tableLines, type Column } from '../../terminal/table.js';
import { allocationColumns, type AllocationRow } from '../alloc/allocation-table.js';
import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { watchDeployment } from '../job/watch-job.js';
import { listRows } from '../list-rows.js';
import { shortId, widthOfScreen, writeLines, type Session } from '../session.js';
import { deploymentLines, waitsForPromotion } from './deployment-view.js';

/** `deployment list` */
export async function listDeployments(session: Session, given: Given): Promise<undefined> {
  const columns: readonly Column<Deployment>[] = [
    { title: 'ID', cell: ({ ID }) => shortId(ID, session) },
    { title: 'JOB', cell: ({ JobID }) => JobID, cut: 'middle' },
    { title: 'VERSION', cell: ({ JobVersion }) => String(JobVersion) },
    { title: 'STATUS', cell: ({ Status }) => Status, isStatus: true },
    {
      title: 'CREATED',
      cell: ({ CreateTime }) => formatAge(millisecondsOf(CreateTime), session.now()),
      isOptional: true,
    },
    { title: 'DESCRIPTION', cell: ({ StatusDescription }) => StatusDescription, isOptional: true },
  ];
  return listRows(session, given, {
    ...{ path: '/v1/deployments', columns, isNewestFirst: true },
    empty: 'No deployments: services have them, from their first version on.',
  });
}

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
