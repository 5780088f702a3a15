import { expect, it } from 'vitest';
import type { AllocationChange, Plan } from '@tamis/scheduler-state/state/plan.js';
import { splitPlan } from '@tamis/scheduler-placement/workers/process-evaluation.js';

function planOf(changes: readonly AllocationChange[]): Plan {
  const nothing = { job: null, deployment: null, deploymentChanges: [], followUps: [], nextStep: null };
  const found = {
    desired: new Map(),
    failed: new Map(),
    queued: {},
    classEligibility: {},
    escaped: false,
    hasMore: false,
  };
  return { evaluation: { ID: 'e' } as Plan['evaluation'], placed: [], changes, ...nothing, ...found };
}

const stops = (count: number, more: object = {}): AllocationChange[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${at}`, fields: { DesiredStatus: 'stop', ...more } }));

it('a plan that stops much is written in parts, each change once and in none more than there may be', () => {
  const replaced = stops(10, { NextAllocation: 'n' });
  const updated: AllocationChange[] = [{ id: 'u', fields: { DeploymentID: 'd' } }];
  const { parts, rest } = splitPlan(planOf([...stops(1_400), ...replaced, ...updated]), 100);
  expect(parts.map(({ changes }) => changes.length)).toEqual(Array(14).fill(100));
  expect(parts.flatMap(({ changes }) => changes)).toEqual(stops(1_400));
  expect(rest.changes).toEqual([...replaced, ...updated]);
});

it('a short plan is written at once', () => {
  const plan = planOf(stops(100));
  expect(splitPlan(plan, 100)).toEqual({ parts: [], rest: plan });
});
