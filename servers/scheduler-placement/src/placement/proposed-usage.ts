import { claimOf, type Claim } from '@tamis/scheduler-model/allocated-resources.js';
import { isTerminal } from '@tamis/scheduler-model/allocation-status.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { copyUsage, giveBack, take, type NodeUsage } from '@tamis/scheduler-model/node-capacity.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import { usageOfNode } from '@tamis/scheduler-state/state/node-usage.js';
import { getRow } from 'tamis/table';
import type { Tables } from '@tamis/scheduler-state/state/tables.js';
import { resolveTarget } from '@tamis/scheduler-model/target.js';

/**
 * Creates the usage before any changes of a plan.
 *
 * @param own the unfinished allocations of the job.
 */
export function createProposedUsage(tables: Tables, own: readonly Allocation[]): ProposedUsage {
  return new ProposedUsage(tables, own);
}

/** The usage of the cluster as it will be after the current plan is applied. */
export class ProposedUsage {
  readonly #tables: Tables;
  readonly #usages = new Map<string, NodeUsage>();
  /** IDs of removed allocations. */
  readonly #removed = new Set<string>();
  /** Number of the job's allocations by node and group. */
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #counters = new Map<string, ValueCounter>();

  constructor(tables: Tables, own: readonly Allocation[]) {
    this.#tables = tables;
    for (const { NodeID, TaskGroup } of own) this.#changeCount(NodeID, TaskGroup, 1);
  }

  /** Returns the usage of a node. The caller must not modify it. */
  usage(nodeId: string): NodeUsage {
    let usage = this.#usages.get(nodeId);
    if (usage === undefined) {
      this.#usages.set(nodeId, (usage = copyUsage(usageOfNode(this.#tables, nodeId))));
    }
    return usage;
  }

  /** Returns the number of the job's allocations on a node. `group` limits it to one group. */
  count(nodeId: string, group: string | null): number {
    const groups = this.#counts.get(nodeId);
    if (groups === undefined) return 0;
    if (group !== null) return groups.get(group) ?? 0;
    return [...groups.values()].reduce((sum, amount) => sum + amount, 0);
  }

  /** Returns the number of the job's allocations by value of a target. `group` limits it to one group. */
  values(target: string, group: string | null): ReadonlyMap<string, number> {
    const key = `${group ?? ''} ${target}`;
    let counter = this.#counters.get(key);
    if (counter === undefined) {
      counter = createCounter(target, group);
      for (const [nodeId, groups] of this.#counts) {
        const node = getRow(this.#tables.nodes, nodeId);
        if (node === null) continue;
        for (const [name, amount] of groups) counter.change(node, name, amount);
      }
      this.#counters.set(key, counter);
    }
    return counter.counts;
  }

  add(node: Node, group: string, claim: Claim): void {
    take(this.usage(node.ID), claim);
    this.#changeCount(node.ID, group, 1);
    this.#changeValues(node, group, 1);
  }

  remove(allocation: Allocation): void {
    if (this.#removed.has(allocation.ID) || isTerminal(allocation)) return;
    this.#removed.add(allocation.ID);
    giveBack(this.usage(allocation.NodeID), claimOf(allocation));
    this.#changeOwn(allocation, -1);
  }

  /** Reverts a removal. */
  restore(allocation: Allocation): void {
    if (!this.#removed.delete(allocation.ID)) return;
    take(this.usage(allocation.NodeID), claimOf(allocation));
    this.#changeOwn(allocation, 1);
  }

  #changeOwn({ NodeID, TaskGroup }: Allocation, amount: number): void {
    this.#changeCount(NodeID, TaskGroup, amount);
    this.#changeValues(getRow(this.#tables.nodes, NodeID), TaskGroup, amount);
  }

  #changeCount(nodeId: string, group: string, amount: number): void {
    const groups = this.#counts.get(nodeId) ?? new Map<string, number>();
    groups.set(group, (groups.get(group) ?? 0) + amount);
    this.#counts.set(nodeId, groups);
  }

  #changeValues(node: Node | null, group: string, amount: number): void {
    if (node !== null) for (const counter of this.#counters.values()) counter.change(node, group, amount);
  }
}

type ValueCounter = ReturnType<typeof createCounter>;

function createCounter(target: string, group: string | null) {
  const counts = new Map<string, number>();
  return {
    counts,
    change(node: Node, name: string, amount: number): void {
      if (group !== null && group !== name) return;
      const value = resolveTarget(target, node);
      if (value !== null) counts.set(value, (counts.get(value) ?? 0) + amount);
    },
  };
}
