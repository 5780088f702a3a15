import { setTimeout as pause } from 'node:timers/promises';
import { awaitGap } from './leader-cases.js';
import type { Region } from './region.js';
import type { Workload } from './workload.js';

/** Something that happens to a region under load, and is over when this resolves; with the milliseconds without writes. */
export type Fault = (region: Region, load: Workload, round: number) => Promise<number>;

export const killLeader: Fault = async (region, load) => {
  const leader = await region.leader();
  const since = performance.now();
  await leader.kill();
  const gap = await awaitGap(load, since);
  await leader.start();
  return gap;
};

export const stopLeader: Fault = async (region, load) => {
  const leader = await region.leader();
  const since = performance.now();
  const ended = leader.stop();
  const gap = await awaitGap(load, since);
  await ended;
  await leader.start();
  return gap;
};

/** The leader is frozen until another one has taken its place, and a little longer. */
export const freezeLeader: Fault = async (region, load) => {
  const leader = await region.leader();
  const since = performance.now();
  leader.freeze();
  const gap = await awaitGap(load, since);
  await pause(Math.random() * maxRestMs);
  leader.thaw();
  return gap;
};

/** The members of etcd are killed in turn. */
export const killMember: Fault = async ({ etcd }, load, round) => {
  const member = etcd.members[round % etcd.members.length];
  const since = performance.now();
  await member?.kill();
  const gap = await awaitGap(load, since);
  await member?.start();
  return gap;
};

const maxRestMs = 1_000;
