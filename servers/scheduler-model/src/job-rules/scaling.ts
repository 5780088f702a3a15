import type { TaskGroup } from '../task-group.js';
import { when } from './findings.js';

/** Checks the bounds of a group's count, which apply even without an autoscaler. */
export function scalingErrors({ Scaling, Count }: TaskGroup, type: string): string[] {
  if (Scaling === null) return [];
  const { Min, Max } = Scaling;
  return [
    ...when(
      type === 'system' || type === 'sysbatch',
      `must not be set for a job of type ${type}, which has one of each on every node`,
    ),
    ...when(Max < 0, 'maximum count must be specified and non-negative'),
    ...when(Max >= 0 && Max < Min, 'maximum count must not be less than minimum count'),
    ...when(Min < 0, 'minimum count must be specified and non-negative'),
    ...when(Count > Max, 'task group count must not be greater than maximum count in scaling policy'),
    ...when(Count < Min, 'task group count must not be less than minimum count in scaling policy'),
  ].map((error) => `Scaling policy invalid: ${error}`);
}
