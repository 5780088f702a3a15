import { setTimeout as pause } from 'node:timers/promises';
import { freezeLeader, killLeader, killMember, stopLeader, type Fault } from './faults.js';
import { percentile } from './noise.js';
import type { Region } from './region.js';
import { underLoad, type ClusterCase, type Stage } from './stage.js';

/** Maximum time of load between two faults, in ms. */
const maxCalmMs = 500;

/** One fault after the other, under load. */
async function repeat(stage: Stage, region: Region, fault: Fault): Promise<void> {
  const { kills } = stage.extent;
  const gaps: number[] = [];
  await underLoad(stage, region, async (load) => {
    for (let round = 0; round < kills; round += 1) {
      await pause(Math.random() * maxCalmMs);
      gaps.push(await fault(region, load, round));
      await region.leader();
      stage.progress(`${round + 1} of ${kills}, ${load.acknowledged} writes acknowledged`);
    }
    await pause(maxCalmMs);
  });
  stage.figure({ name: 'faults', value: kills, unit: '' });
  stage.figure({ name: 'no writes, p50', value: percentile(gaps, 0.5), unit: 'ms' });
  stage.figure({ name: 'no writes, most', value: percentile(gaps, 1), unit: 'ms' });
}

/** Faults of all kinds, until there are operations enough. */
async function recordHistory(stage: Stage, region: Region): Promise<void> {
  const faults = [killLeader, stopLeader, killMember, freezeLeader];
  const { operations } = stage.extent;
  let round = 0;
  await underLoad(
    stage,
    region,
    async (load) => {
      while (load.history.length < operations) {
        await load.reach(Math.min(operations, ((round + 1) * operations) / faultsOfHistory));
        await faults[round % faults.length]?.(region, load, round);
        await region.leader();
        round += 1;
        stage.progress(`${load.history.length} of ${operations} operations, ${round} faults`);
      }
    },
    { clients: 12, jobs: 10, reads: 0.4, staleReads: 0.3 },
  );
  stage.figure({ name: 'faults meanwhile', value: round, unit: '' });
}

/** Faults that are spread over a history. */
const faultsOfHistory = 12;

/** Reads on all servers while others write: no response is older than any acknowledged write. */
async function readEverywhere(stage: Stage, region: Region): Promise<void> {
  const { reads } = stage.extent;
  const load = await underLoad(stage, region, async (load) => load.reach(reads / defaultShare), {
    ...{ clients: 16, jobs: 4 },
    ...{ reads: defaultShare, staleReads: 0 },
  });
  const served = load.history.filter(({ kind }) => kind === 'read').length;
  stage.figure({ name: 'default reads, none of them stale', value: served, unit: '' });
}

const defaultShare = 0.9;
const repeated = (fault: Fault) => (stage: Stage, region: Region) => repeat(stage, region, fault);

export const enduranceCases: readonly ClusterCase[] = [
  { number: 20, name: 'the leader is killed again and again', needs: {}, play: repeated(killLeader) },
  { number: 21, name: 'the leader is frozen again and again', needs: {}, play: repeated(freezeLeader) },
  {
    number: 22,
    name: 'members of etcd are killed in turn',
    needs: { members: 3 },
    play: repeated(killMember),
  },
  { number: 23, name: 'default reads while others write', needs: {}, play: readEverywhere },
  { number: 24, name: 'a history under faults of all kinds', needs: { members: 3 }, play: recordHistory },
];
