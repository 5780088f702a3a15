import { claimOf } from '../model/allocated-resources.js';
import { isTerminal } from '../model/allocation-status.js';
import type { Mark } from '../model/mark.js';
import { usageOf, type NodeUsage } from '../model/node-capacity.js';
import { allocationsOnNode } from './rows-of-job.js';
import { getRow } from './table.js';
import type { Tables } from './tables.js';

/** What was added up, by the mark that every change on a node replaces. */
const usages = new WeakMap<Mark, NodeUsage>();

/** How much of a node its allocations take. Added up once for each change on the node; not to be changed. */
export function usageOfNode(tables: Tables, nodeId: string): NodeUsage {
  const mark = getRow(tables.load_marks, nodeId);
  const known = mark === null ? undefined : usages.get(mark);
  if (known !== undefined) return known;
  const running = [...allocationsOnNode(tables, nodeId)].filter((row) => !isTerminal(row));
  const usage = usageOf(running.map(claimOf));
  if (mark !== null) usages.set(mark, usage);
  return usage;
}
