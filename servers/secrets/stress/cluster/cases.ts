import { setTimeout as pause } from 'node:timers/promises';
import { memberStatus } from '@tamis/etcd';
import type { ClusterMember } from '../../../etcd/test/support/etcd-cluster.js';
import { createClient } from '../client.js';
import { findViolations } from './history.js';
import { startRegion, type Region } from './region.js';
import { startWorkload, type Workload } from './workload.js';

/** What is done to a region while clients work. */
export interface ClusterCase {
  readonly name: string;
  /** Milliseconds from each fault until something that was asked after it was acknowledged. */
  play(stage: Stage): Promise<void>;
}

export interface Stage {
  readonly region: Region;
  readonly workload: Workload;
  /** How often the active server is killed. */
  readonly kills: number;
  /** Notes how long nothing was acknowledged after something was done. */
  measure(fault: () => Promise<void>): Promise<void>;
  readonly progress: (text: string) => void;
}

export const cases: readonly ClusterCase[] = [
  {
    name: 'the active server is killed, again and again',
    async play({ region, measure, kills, progress }) {
      for (let kill = 1; kill <= kills; kill += 1) {
        const active = await region.whole();
        await pause(Math.random() * 300);
        await measure(() => active.kill());
        await active.start();
        progress(`${kill} of ${kills} kills`);
      }
    },
  },
  {
    name: 'a server that stands by is killed',
    async play({ region, measure }) {
      const active = await region.whole();
      const standby = region.servers.find((server) => server !== active);
      await measure(async () => standby?.kill());
      await standby?.start();
    },
  },
  {
    name: 'all servers are restarted, one after the other (SIGTERM)',
    async play({ region, measure }) {
      for (const server of region.servers) {
        await region.whole();
        await measure(() => server.stop());
        await server.start();
      }
    },
  },
  {
    name: 'the active server steps down, three times',
    async play({ region, measure }) {
      for (let time = 0; time < 3; time += 1) {
        const active = await region.whole();
        const client = createClient(active.address, 1);
        await measure(async () => {
          await client.ask('PUT', 'sys/step-down', undefined, region.rootToken);
        });
        client.close();
      }
    },
  },
  {
    name: 'the active server is frozen for 15 seconds',
    async play({ region, measure }) {
      const active = await region.whole();
      await measure(async () => active.freeze());
      await pause(12_000);
      active.thaw();
      await region.whole();
    },
  },
  {
    name: "etcd's leader is killed",
    async play({ region, measure }) {
      const leader = await etcdLeader(region);
      await measure(() => leader.kill());
      await leader.start();
    },
  },
  {
    name: "etcd's leader is frozen for 5 seconds",
    async play({ region, measure }) {
      const leader = await etcdLeader(region);
      await measure(async () => leader.freeze());
      await pause(5_000);
      leader.thaw();
    },
  },
  {
    name: 'the majority of etcd is lost for 3 seconds',
    async play({ region, measure }) {
      const lost = region.etcd.members.slice(0, 2);
      await Promise.all(lost.map((member) => member.kill()));
      await pause(3_000);
      await measure(async () => {
        await Promise.all(lost.map((member) => member.start()));
      });
    },
  },
];

async function etcdLeader({ etcd }: Region): Promise<ClusterMember> {
  for (;;) {
    const states = await memberStatus(etcd.connect());
    const leader = states.find((state) => 'isLeader' in state && state.isLeader);
    const member = etcd.members.find(({ url }) => url === leader?.url);
    if (member !== undefined) return member;
    await pause(100);
  }
}

export interface CaseOutcome {
  readonly name: string;
  readonly operations: number;
  /** Milliseconds after each fault until something was acknowledged. */
  readonly gaps: readonly number[];
  /** Milliseconds. */
  readonly p99: number;
  readonly mistakes: readonly string[];
}

export interface RunOptions {
  readonly main: string;
  readonly kills: number;
  readonly clients: number;
  readonly progress: (text: string) => void;
}

/** Plays a case on a region of its own, and holds what its clients have seen against what may be. */
export async function runCase(one: ClusterCase, options: RunOptions): Promise<CaseOutcome> {
  const progress = (text: string): void => options.progress(`${one.name}: ${text}`);
  const { main, kills } = options;
  progress('starting');
  const region = await startRegion({ main, members: 3, servers: 3, leaseTtl: 3 });
  const gaps: number[] = [];
  try {
    const workload = startWorkload(region, options.clients);
    const measure = async (fault: () => Promise<void>): Promise<void> => {
      const begun = performance.now();
      const until = workload.answered();
      await fault();
      await until;
      gaps.push(performance.now() - begun);
    };
    await pause(500);
    await one.play({ region, workload, kills, measure, progress });
    await region.whole();
    await workload.stop();
    await workload.readAll();
    const times = workload.history
      .filter((each) => each.kind === 'read' || each.outcome === 'done')
      .map(({ begun, ended }) => ended - begun)
      .sort((a, b) => a - b);
    return {
      name: one.name,
      operations: workload.history.length,
      gaps,
      p99: times[Math.floor(times.length * 0.99)] ?? NaN,
      mistakes: findViolations(workload.history),
    };
  } finally {
    await region.close();
  }
}
