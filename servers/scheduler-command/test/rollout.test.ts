import { describe, expect, it } from 'vitest';
import { createRollout, type EventPayload, type Rollout } from '@tamis/scheduler-command/job/rollout.js';

const deployment = {
  ID: 'd',
  JobVersion: 1,
  CreateIndex: 12,
  Status: 'running',
  StatusDescription: '',
  TaskGroups: {},
};

/** An allocation with these events of its task, each at its place. */
function allocation(ClientStatus: string, ...types: readonly string[]): EventPayload {
  const Events = types.map((Type, at) => ({ Type, DisplayMessage: '', ExitCode: 1, Time: at + 1 }));
  const printed = { ID: 'a', Name: 'web.g[0]', NodeName: 'n', DeploymentID: 'd', ClientStatus };
  return { Allocation: { ...printed, TaskStates: { t: { Events } } } as never };
}

function begin(): {
  readonly rollout: Rollout;
  readonly reported: (payload: EventPayload) => readonly string[];
} {
  const rollout = createRollout({ evalId: 'e', index: 10, short: (id) => id });
  const reported = (payload: EventPayload): readonly string[] =>
    rollout.apply(payload).map(({ text }) => text);
  expect(reported({ Deployment: deployment as never })).toEqual(['deployment d of version 1 begins']);
  return { rollout, reported };
}

describe('a rollout that is followed', () => {
  it('reports only changes after the start of a new rollout', () => {
    const { reported } = begin();
    expect(reported(allocation('running', 'Started', 'Restart Signaled', 'Terminated'))).toEqual([
      'web.g[0] (a) goes on',
    ]);
    expect(
      reported(allocation('running', 'Started', 'Restart Signaled', 'Terminated', 'Restarting')),
    ).toEqual(['web.g[0] task t: Restarting: ']);
  });

  it('reports every placement', () => {
    const { reported } = begin();
    expect(reported(allocation('pending', 'Received', 'Driver Failure'))).toEqual([
      'web.g[0] (a) placed on n',
      'web.g[0] task t: Driver Failure: ',
    ]);
  });
});
