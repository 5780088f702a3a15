import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  runLeaderTasks,
  type LeaderTask,
  type LedContents,
  type RunningLeaderTasks,
} from '@tamis/scheduler-state/cluster/leader-tasks.js';
import {
  createLeadership,
  type AnnouncedLeadership,
  type Leader,
} from '@tamis/scheduler-state/cluster/leadership.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

const server = { name: 'srv1.global', address: '10.0.0.1:4647' };
const here = (term: number): Leader => ({ location: 'here', server, term });
const there = (term: number): Leader => ({ location: 'there', server, term });
const nobody: Leader = { location: 'nobody' };

interface Contents extends LedContents {
  replace(): void;
}

function createContents(): Contents {
  const listeners = new Set<() => void>();
  let generation = 1;
  return {
    generation: () => generation,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    replace() {
      generation += 1;
      for (const listener of listeners) listener();
    },
  };
}

interface World {
  readonly contents: Contents;
  readonly leadership: AnnouncedLeadership;
  readonly running: RunningLeaderTasks;
  /** Starts and stops, in order. */
  readonly log: readonly string[];
  readonly failures: readonly unknown[];
}

/** Two tasks, the second of which takes some turns to start and to stop, or refuses to start. */
function createWorld(first: Leader, refusal: () => Error | null = () => null): World {
  const leadership = createLeadership(createFakeClock());
  leadership.announce(first);
  const contents = createContents();
  const log: string[] = [];
  const failures: unknown[] = [];
  const quick: LeaderTask = { start: () => void log.push('+quick'), stop: () => void log.push('-quick') };
  const slow: LeaderTask = {
    async start() {
      await nextTurn();
      log.push('+slow');
      const error = refusal();
      if (error !== null) throw error;
    },
    async stop() {
      await nextTurn();
      log.push('-slow');
    },
  };
  const running = runLeaderTasks({
    leadership,
    contents,
    tasks: [quick, slow],
    failed: (error) => void failures.push(error),
  });
  return { contents, leadership, running, log, failures };
}

const up = ['+quick', '+slow'];
const down = ['-slow', '-quick'];

describe('the tasks of a leader', () => {
  it.each<[what: string, leaders: readonly Leader[], expected: readonly string[]]>([
    ['rest while nobody leads', [nobody], []],
    ['rest while another server leads', [there(1)], []],
    ['run while this one leads', [here(1)], up],
    ['run on when the same election is told again', [here(1), here(1)], up],
    ['stop when there is no leader any more', [here(1), nobody], [...up, ...down]],
    ['stop when another server leads', [here(1), there(2)], [...up, ...down]],
    ['begin anew when the same server is elected again', [here(1), here(2)], [...up, ...down, ...up]],
    [
      'come and go any number of times',
      [here(1), nobody, here(2), there(3), here(4)],
      [...up, ...down, ...up, ...down, ...up],
    ],
  ])('%s', async (_what, leaders, expected) => {
    const { leadership, running, log } = createWorld(nobody);
    for (const leader of leaders) {
      leadership.announce(leader);
      await running.settled();
    }
    expect(log).toEqual(expected);
  });

  it('restart when the state is replaced, and only while this server leads', async () => {
    const { contents, leadership, running, log } = createWorld(here(1));
    await running.settled();
    contents.replace();
    await running.settled();
    leadership.announce(nobody);
    await running.settled();
    contents.replace();
    await running.settled();
    expect(log).toEqual([...up, ...down, ...up, ...down]);
  });

  it('are not all started when the leadership is lost meanwhile', async () => {
    const leadership = createLeadership(createFakeClock());
    leadership.announce(here(1));
    const log: string[] = [];
    const tasks = ['a', 'b', 'c'].map((name) => ({
      start() {
        log.push(`+${name}`);
        if (name === 'b') leadership.announce(nobody);
      },
      stop: () => void log.push(`-${name}`),
    }));
    await runLeaderTasks({
      leadership,
      contents: createContents(),
      tasks,
      failed: () => undefined,
    }).settled();
    expect(log).toEqual(['+a', '+b', '-b', '-a']);
  });

  it('stop when one of them cannot start, say why, and are tried in the next term', async () => {
    let refusal: Error | null = new Error('the disk is full');
    const { leadership, running, log, failures } = createWorld(here(1), () => refusal);
    await expect(running.settled()).rejects.toThrow('the disk is full');
    expect([log, failures]).toEqual([[...up, ...down], [refusal]]);
    refusal = null;
    leadership.announce(here(2));
    await running.settled();
    expect(log).toEqual([...up, ...down, ...up]);
  });

  it('stop for good', async () => {
    const { leadership, running, log } = createWorld(here(1));
    await running.settled();
    await running.stop();
    leadership.announce(here(2));
    await running.stop();
    expect(log).toEqual([...up, ...down]);
  });

  it('are as the last election says, whatever came before and however quickly', async () => {
    const leader = fc.oneof(fc.constant(nobody), fc.nat(3).map(here), fc.nat(3).map(there));
    const step = fc.oneof(leader, fc.constant('turn' as const), fc.constant('settle' as const));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { leadership, running, log } = createWorld(nobody);
        for (const each of steps) {
          if (each === 'turn') await nextTurn();
          else if (each === 'settle') await running.settled();
          else leadership.announce(each);
        }
        await running.settled();
        const active = new Set<string>();
        for (const entry of log) {
          const name = entry.slice(1);
          if (entry.startsWith('+')) {
            expect(active.has(name)).toBe(false);
            active.add(name);
          } else expect(active.delete(name)).toBe(true);
        }
        expect(active.size).toBe(leadership.current().location === 'here' ? 2 : 0);
      }),
    );
  });
});
