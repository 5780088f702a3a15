import type { Deployment, DeploymentGroup } from '@tamis/scheduler-model/deployment.js';
import { fieldLines, tableLines, type Column } from '../terminal/table.js';
import { shortId, type Session } from '../session.js';

interface GroupRow {
  readonly name: string;
  readonly group: DeploymentGroup;
}

const columns: readonly Column<GroupRow>[] = [
  { title: 'GROUP', cell: ({ name }) => name, cut: 'middle' },
  { title: 'DESIRED', cell: ({ group }) => String(group.DesiredTotal) },
  { title: 'PLACED', cell: ({ group }) => String(group.PlacedAllocs) },
  { title: 'HEALTHY', cell: ({ group }) => String(group.HealthyAllocs) },
  { title: 'UNHEALTHY', cell: ({ group }) => String(group.UnhealthyAllocs) },
  { title: 'CANARIES', cell: canariesOf, isOptional: true },
  { title: 'REVERTS', cell: ({ group }) => (group.AutoRevert ? 'yes' : 'no'), isOptional: true },
];

function canariesOf({ group }: GroupRow): string {
  const requested = Number(group.DesiredCanaries);
  if (requested === 0) return '';
  return `${(group.PlacedCanaries ?? []).length}/${requested}${group.Promoted ? ', promoted' : ''}`;
}

/** Returns lines about a deployment and its groups. */
export function deploymentLines(session: Session, deployment: Deployment): string[] {
  const { layout } = session;
  const groups = Object.entries(deployment.TaskGroups ?? {}).flatMap(([name, group]) =>
    group === null ? [] : [{ name, group }],
  );
  return [
    ...fieldLines(
      [
        ['Deployment', shortId(deployment.ID, session)],
        ['Version', String(deployment.JobVersion)],
        ['Status', deployment.Status],
        ['Description', deployment.StatusDescription],
      ],
      layout,
    ),
    ...tableLines(columns, groups, layout),
  ];
}

/** Whether it waits for promotion and all its canaries are healthy. */
export function waitsForPromotion({
  Status,
  TaskGroups,
}: Pick<Deployment, 'Status' | 'TaskGroups'>): boolean {
  if (Status !== 'running') return false;
  const groups = Object.values(TaskGroups ?? {}).filter((group) => group !== null);
  const withCanaries = groups.filter(({ DesiredCanaries }) => Number(DesiredCanaries) > 0);
  const isHealthy = (group: DeploymentGroup): boolean =>
    group.HealthyAllocs >= group.DesiredCanaries &&
    (group.PlacedCanaries ?? []).length >= Number(group.DesiredCanaries);
  return (
    withCanaries.some(({ Promoted, AutoPromote }) => !Promoted && !AutoPromote) &&
    withCanaries.every(isHealthy)
  );
}
