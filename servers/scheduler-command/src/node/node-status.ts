import type { Node } from '@tamis/scheduler-model/node.js';
import { fieldLines, tableLines } from '../terminal/table.js';
import { allocationColumns, type AllocationRow } from '../views/allocation-table.js';
import { findId } from '../find-object.js';
import type { Given } from '../given.js';
import { createListCommand } from '../views/list-views.js';
import { writeResponse, type Session } from '../session.js';

/** `node status`: prints the list of nodes, or one node. */
export async function printNodes(session: Session, given: Given): Promise<number | void> {
  const id = given.argument('NODE');
  if (id !== null) return printNode(session, await findId(session, 'node', id));
  return createListCommand('nodes')(session, given);
}

export async function printNode(session: Session, id: string): Promise<void> {
  const { api, layout } = session;
  const [{ body: node }, { body: allocations }] = await Promise.all([
    api.get<Node>(`/v1/node/${id}`),
    api.get<readonly (AllocationRow & { readonly Job?: { readonly Version: number } })[]>(
      `/v1/node/${id}/allocations`,
    ),
  ]);
  const rows = allocations.toReversed().map((one) => ({ ...one, JobVersion: one.Job?.Version ?? 0 }));
  await writeResponse(session, { Node: node, Allocations: allocations }, () => [
    ...fieldLines(nodeFields(session, node), layout),
    ...(rows.length === 0 ? [] : ['', ...tableLines(allocationColumns(session), rows, layout)]),
  ]);
}

function nodeFields(session: Session, node: Node): readonly (readonly [string, string])[] {
  const { Attributes, DrainStrategy, Drivers, Meta, NodeResources: resources } = node;
  const drivers = Object.entries(Drivers ?? {}).flatMap(([name, driver]) =>
    driver?.Healthy === true ? [name] : [],
  );
  const pairs = (map: Readonly<Record<string, string>> | null): string =>
    Object.entries(map ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(', ');
  return [
    ['ID', node.ID],
    ['Name', node.Name],
    ['Datacenter', node.Datacenter],
    ['Pool', node.NodePool],
    ['Class', node.NodeClass],
    ['Status', node.Status],
    ['Description', node.StatusDescription],
    ['Eligibility', DrainStrategy === null ? node.SchedulingEligibility : 'draining'],
    ['Drain until', DrainStrategy?.ForceDeadline ?? ''],
    ['Drivers', drivers.join(', ')],
    ['CPU', resources === null ? '' : `${resources.Cpu.CpuShares} MHz, ${resources.Cpu.TotalCpuCores} cores`],
    ['Memory', resources === null ? '' : `${resources.Memory.MemoryMB} MiB`],
    ['Disk', resources === null ? '' : `${resources.Disk.DiskMB} MiB`],
    ['Meta', pairs(Meta)],
    ...(session.isVerbose ? Object.entries(Attributes ?? {}).sort() : []),
  ];
}
