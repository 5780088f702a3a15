import { expect, it } from 'vitest';
import { failureLines } from '@tamis/scheduler-command/views/placement-failures.js';

it.each([
  [
    1,
    [
      '    1 of 1 node: constraint ${attr.a} = b',
      '    1 node of class c does not fit',
      '    1 node has no room',
      '    memory is used up on 1 node',
    ],
  ],
  [
    1_200,
    [
      '    1200 of 1,200 nodes: constraint ${attr.a} = b',
      '    1,200 nodes of class c do not fit',
      '    1,200 nodes have no room',
      '    memory is used up on 1,200 nodes',
    ],
  ],
])('describes why a group was not placed for %i', (count, lines) => {
  const metrics = {
    ...{ NodesEvaluated: count, NodesExhausted: count, ConstraintFiltered: { '${attr.a} = b': count } },
    ...{ ClassFiltered: { c: count }, DimensionExhausted: { memory: count } },
  };
  expect(failureLines({ g: metrics })).toEqual(['  g: 1 not placed:', ...lines]);
});
