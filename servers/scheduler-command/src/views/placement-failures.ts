import type { PlacementMetrics } from '@tamis/scheduler-model/placement-metrics.js';
import { counted } from '../terminal/counted.js';
import { sanitizeForTerminal } from '../terminal/escape-terminal.js';

type Counts = Readonly<Record<string, number>> | null | undefined;

/** Returns a few lines per group that explain why it was not placed. @param failed by group, as in evaluations and plans. */
export function failureLines(failed: Readonly<Record<string, unknown>> | null): string[] {
  return Object.entries(failed ?? {}).flatMap(([group, metrics]) => {
    const given = metrics as Partial<PlacementMetrics>;
    const times = Number(given.CoalescedFailures ?? 0) + 1;
    const reasons = reasonsOf(given);
    const head = `  ${sanitizeForTerminal(group)}: ${times} not placed`;
    return reasons.length === 0
      ? [head]
      : [`${head}:`, ...reasons.map((reason) => `    ${sanitizeForTerminal(reason)}`)];
  });
}

function reasonsOf(metrics: Partial<PlacementMetrics>): string[] {
  const { NodesEvaluated = 0, NodesInPool, NodePool, NodesExhausted = 0 } = metrics;
  if (NodesEvaluated === 0) {
    const pool = NodePool === undefined || NodePool === '' ? '' : ` in the pool ${NodePool}`;
    return [
      NodesInPool === 0
        ? `there are no nodes${pool}`
        : `no node${pool} is ready, takes new work and is in a datacenter of the job`,
    ];
  }
  return [
    ...countLines(
      metrics.ConstraintFiltered,
      (name, count) =>
        `${count} of ${counted(NodesEvaluated, 'node')}: ${name.startsWith('missing ') ? '' : 'constraint '}${name}`,
    ),
    ...countLines(
      metrics.ClassFiltered,
      (name, count) => `${counted(count, 'node')} of class ${name} ${count === 1 ? 'does' : 'do'} not fit`,
    ),
    ...(NodesExhausted > 0
      ? [`${counted(NodesExhausted, 'node')} ${NodesExhausted === 1 ? 'has' : 'have'} no room`]
      : []),
    ...countLines(
      metrics.DimensionExhausted,
      (name, count) => `${name} is used up on ${counted(count, 'node')}`,
    ),
  ];
}

function countLines(counts: Counts, line: (name: string, count: number) => string): string[] {
  return Object.entries(counts ?? {}).map(([name, count]) => line(name, Number(count)));
}
