import {
  readClaim,
  type AllocatedResources,
  type Claim,
} from '@tamis/scheduler-model/allocated-resources.js';
import type { Job } from '@tamis/scheduler-model/job.js';
import { capacityOf, lacking } from '@tamis/scheduler-model/node-capacity.js';
import type { Node } from '@tamis/scheduler-model/node.js';
import type { PlacementMetrics } from '@tamis/scheduler-model/placement-metrics.js';
import type { TaskGroup } from '@tamis/scheduler-model/task-group.js';
import { createFeasibility, type Feasibility } from './feasibility.js';
import { demandOf, makeOffer, type Demand } from './offer.js';
import type { ProposedUsage } from './proposed-usage.js';
import { createScorer, hasPreferences, meanOf, type Scorer } from './score.js';
import { createMetricsRecorder, type MetricsRecorder, type SearchSpace } from './metrics-recorder.js';

/** A task group, with all values that are the same for every node. */
export interface Placeable {
  readonly job: Job;
  readonly group: TaskGroup;
  readonly demand: Demand;
  readonly feasibility: Feasibility;
  readonly scorer: Scorer;
  /** Returns after how many suitable nodes the search ends. */
  readonly enough: (nodes: number) => number;
}

/** Maximum number of nodes checked if a job has preferences, unless its count is higher. */
const preferenceLimit = 100;

export function preparePlaceable(job: Job, group: TaskGroup): Placeable {
  const chooses = hasPreferences(job, group);
  return {
    job,
    group,
    demand: demandOf(group),
    feasibility: createFeasibility(job, group),
    scorer: createScorer(job, group),
    enough(nodes) {
      if (chooses) return Math.max(preferenceLimit, Number(group.Count));
      // The better of two random nodes is nearly as good as the best of all. More nodes are checked for services, because they
      // are long-lived.
      return job.Type === 'batch' ? 2 : Math.max(2, Math.ceil(Math.log2(Math.max(1, nodes))));
    },
  };
}

/** A node where a group fits. */
export interface FittingNode {
  readonly node: Node;
  readonly resources: AllocatedResources;
  readonly claim: Claim;
}

export interface NodeSelection {
  /** Null if no node is suitable. */
  readonly found: FittingNode | null;
  readonly metrics: PlacementMetrics;
}

/** Maximum number of nodes with low scores that are skipped in search of better ones. */
const maxPutOff = 3;

/** Number of nodes checked between two pauses. */
const stride = 64;

/**
 * Selects a node. Pauses regularly, so that the caller can do other work.
 *
 * @param nodes nodes in search order. If scores are equal, the first one wins.
 * @param penalised nodes where the allocation has failed before.
 */
export function* selectNode(
  placeable: Placeable,
  nodes: Iterable<Node>,
  space: SearchSpace & { readonly size: number },
  proposed: ProposedUsage,
  penalised: ReadonlySet<string>,
): Generator<undefined, NodeSelection, undefined> {
  const recorder = createMetricsRecorder(space);
  const limit = placeable.enough(space.size);
  let best: (FittingNode & { readonly score: number }) | null = null;
  let seen = 0;
  let putOff = 0;
  let looks = 0;
  for (const node of nodes) {
    looks += 1;
    if (looks % stride === 0) yield;
    const found = examine(placeable, node, proposed, recorder);
    if (found === null) continue;
    const scores = placeable.scorer(node, capacityOf(node), found.claim, proposed, penalised);
    const score = meanOf(scores);
    recorder.scored({ NodeID: node.ID, Scores: scores, NormScore: score });
    if (best === null || score > best.score) best = { ...found, score };
    if (score <= 0 && putOff < maxPutOff) putOff += 1;
    else seen += 1;
    if (seen >= limit) break;
  }
  return { found: best, metrics: recorder.metrics() };
}

/** Returns whether a node is suitable, and what it offers. */
export function examine(
  { feasibility, demand }: Placeable,
  node: Node,
  proposed: ProposedUsage,
  recorder: MetricsRecorder,
): FittingNode | null {
  recorder.evaluated();
  const reason = feasibility.infeasibleReason(node) ?? feasibility.distinctConflict(node, proposed);
  if (reason !== null) {
    recorder.filtered(node, reason);
    return null;
  }
  const capacity = capacityOf(node);
  const usage = proposed.usage(node.ID);
  const offer = makeOffer(node, capacity, usage, demand);
  if (offer.kind === 'lacking') {
    recorder.exhausted(node, offer.dimension);
    return null;
  }
  const claim = readClaim(offer.resources);
  const dimension = lacking(capacity, usage, claim);
  if (dimension !== null) {
    recorder.exhausted(node, dimension);
    return null;
  }
  return { node, resources: offer.resources, claim };
}
