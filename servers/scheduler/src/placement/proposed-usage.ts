import { claimOf, type Claim } from '../model/allocated-resources.js';
import { isTerminal } from '../model/allocation-status.js';
import type { Allocation } from '../model/allocation.js';
import { copyUsage, giveBack, take, type NodeUsage } from '../model/node-capacity.js';
import type { Node } from '../model/node.js';
import { usageOfNode } from '../state/node-usage.js';
import { getRow } from '../state/table.js';
import type { Tables } from '../state/tables.js';
import { resolveTarget } from '../model/target.js';

/** The cluster as it will be when the plan that is being made has been applied. */
export interface ProposedUsage {
  /** How much of a node is taken. Not to be changed. */
  usage(nodeId: string): NodeUsage;
  /** How many allocations of the job are on a node, of one group or of all. */
  count(nodeId: string, group: string | null): number;
  /** How many allocations of the job, of one group or of all, are on nodes with each value of a target. */
  values(target: string, group: string | null): ReadonlyMap<string, number>;
  add(node: Node, group: string, claim: Claim): void;
  remove(allocation: Allocation): void;
  /** Takes a removal back. */
  restore(allocation: Allocation): void;
}

/** @param own the allocations of the job that are not over. */
export function createProposedUsage(tables: Tables, own: readonly Allocation[]): ProposedUsage {
  const usages = new Map<string, NodeUsage>();
  const removed = new Set<string>();
  const places = new Map<string, Map<string, number>>();
  const counters = new Map<string, ValueCounter>();

  function changePlace(nodeId: string, group: string, amount: number): void {
    const groups = places.get(nodeId) ?? new Map<string, number>();
    groups.set(group, (groups.get(group) ?? 0) + amount);
    places.set(nodeId, groups);
  }

  function changeValues(node: Node | null, group: string, amount: number): void {
    if (node !== null) for (const counter of counters.values()) counter.change(node, group, amount);
  }

  function usageOn(nodeId: string): NodeUsage {
    let usage = usages.get(nodeId);
    if (usage === undefined) usages.set(nodeId, (usage = copyUsage(usageOfNode(tables, nodeId))));
    return usage;
  }

  for (const { NodeID, TaskGroup } of own) changePlace(NodeID, TaskGroup, 1);

  return {
    usage: usageOn,
    count(nodeId, group) {
      const groups = places.get(nodeId);
      if (groups === undefined) return 0;
      if (group !== null) return groups.get(group) ?? 0;
      return [...groups.values()].reduce((sum, amount) => sum + amount, 0);
    },
    values(target, group) {
      const key = `${group ?? ''} ${target}`;
      let counter = counters.get(key);
      if (counter === undefined) {
        counter = createCounter(target, group);
        for (const [nodeId, groups] of places) {
          const node = getRow(tables.nodes, nodeId);
          if (node === null) continue;
          for (const [name, amount] of groups) counter.change(node, name, amount);
        }
        counters.set(key, counter);
      }
      return counter.counts;
    },
    add(node, group, claim) {
      take(usageOn(node.ID), claim);
      changePlace(node.ID, group, 1);
      changeValues(node, group, 1);
    },
    remove(allocation) {
      if (removed.has(allocation.ID) || isTerminal(allocation)) return;
      removed.add(allocation.ID);
      giveBack(usageOn(allocation.NodeID), claimOf(allocation));
      changePlace(allocation.NodeID, allocation.TaskGroup, -1);
      changeValues(getRow(tables.nodes, allocation.NodeID), allocation.TaskGroup, -1);
    },
    restore(allocation) {
      if (!removed.delete(allocation.ID)) return;
      take(usageOn(allocation.NodeID), claimOf(allocation));
      changePlace(allocation.NodeID, allocation.TaskGroup, 1);
      changeValues(getRow(tables.nodes, allocation.NodeID), allocation.TaskGroup, 1);
    },
  };
}

interface ValueCounter {
  readonly counts: ReadonlyMap<string, number>;
  change(node: Node, group: string, amount: number): void;
}

function createCounter(target: string, group: string | null): ValueCounter {
  const counts = new Map<string, number>();
  return {
    counts,
    change(node, name, amount) {
      if (group !== null && group !== name) return;
      const value = resolveTarget(target, node);
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + amount);
    },
  };
}
