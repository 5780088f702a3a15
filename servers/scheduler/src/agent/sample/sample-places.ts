import { readClaim, type AllocatedResources } from '@tamis/scheduler-model/allocated-resources.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { capacityOf, lacking, take, usageOf, type NodeUsage } from '@tamis/scheduler-model/node-capacity.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { demandOf, makeOffer } from '@tamis/scheduler-placement/placement/offer.js';
import type { SampleRandom } from './random.js';

/** A node with the resources of an allocation there. */
export interface SamplePlace {
  readonly node: Node;
  readonly resources: AllocatedResources;
}

/** The free capacity of the sample's nodes. */
export function createSamplePlaces(random: SampleRandom, nodes: readonly Node[]) {
  let open = nodes.filter(({ Status }) => Status === 'ready');
  const usages = new Map<Node, NodeUsage>();

  const mayRun = (node: Node, { NodePool, Datacenters, Constraints }: Job): boolean =>
    node.NodePool === NodePool &&
    (Datacenters ?? []).some((name) => name === '*' || name === node.Datacenter) &&
    (Constraints ?? []).every(({ RTarget }) => node.Attributes?.['cpu.arch'] === RTarget);

  function placeOn(node: Node, group: TaskGroup): SamplePlace | null {
    const usage = usages.get(node) ?? usageOf([]);
    const offer = makeOffer(node, capacityOf(node), usage, demandOf(group));
    if (offer.kind === 'lacking') return null;
    const claim = readClaim(offer.resources);
    if (lacking(capacityOf(node), usage, claim) !== null) return null;
    take(usage, claim);
    usages.set(node, usage);
    return { node, resources: offer.resources };
  }

  return {
    /** Reserves resources on a node that a job may run on. @throws RangeError if no node has enough. */
    take(job: Job, group: TaskGroup): SamplePlace {
      const candidates = open.filter((node) => mayRun(node, job));
      const first = random.int(0, Math.max(0, candidates.length - 1));
      for (const node of [...candidates.slice(first), ...candidates.slice(0, first)]) {
        const place = placeOn(node, group);
        if (place !== null) return place;
      }
      throw new RangeError(`no node of the sample has room for ${job.ID}`);
    },
    /** Reserves resources on each such node. */
    takeAll: (job: Job, group: TaskGroup): SamplePlace[] =>
      open.filter((node) => mayRun(node, job)).flatMap((node) => placeOn(node, group) ?? []),
    /** Excludes nodes from further placements. */
    close(isClosed: (node: Node) => boolean): void {
      open = open.filter((node) => !isClosed(node));
    },
  };
}
