import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joinElection, type Candidate, type Election } from '../../src/election/election.js';
import { renewLease, type LeaseRenewer } from '../../src/election/lease.js';
import { methods } from '../../src/protocol/methods.js';
import type { TxnRequest } from '../../src/protocol/messages.js';
import { createFakeClock, settled, type FakeClock } from '../support/fake-clock.js';
import { createModelEtcd, type Fault, type ModelEtcd } from '../support/model-etcd.js';
import { createModelStore } from '../support/model-store.js';

interface Server {
  readonly election: Election;
  readonly lease: LeaseRenewer;
}

let clock: FakeClock;
let etcd: ModelEtcd;
let servers: Server[];

/** A server as a candidate of an election. */
function candidate(name: string): Candidate {
  return { name, address: `${name}:4647` };
}

function join(name: string): Server {
  const lease = renewLease({ transport: etcd, clock, ttl: 4 });
  const election = joinElection({ transport: etcd, clock, lease, key: '/x/leader' });
  election.campaign(candidate(name));
  const server = { election, lease };
  servers.push(server);
  return server;
}

function leaders(): (string | undefined)[] {
  return servers.map(({ election }) => election.current()?.name);
}

function owners(): boolean[] {
  return servers.map(({ election }) => election.current()?.isOwn === true);
}

/** A fault of the next elections only. */
function nextElections(...faults: Fault[]): void {
  etcd.fault = (method, request) =>
    method === methods.txn.path && (request as TxnRequest).failure.length > 0
      ? (faults.shift() ?? 'none')
      : 'none';
}

describe('an election', () => {
  beforeEach(async () => {
    clock = createFakeClock();
    etcd = createModelEtcd(createModelStore(), clock);
    servers = [];
    join('one');
    await settled();
    join('two');
    await settled();
  });

  afterEach(async () => {
    etcd.fault = () => 'none';
    for (const { election } of servers) election.close();
    const closed = Promise.all(servers.map(({ lease }) => lease.close()));
    await clock.advance(10_000);
    await closed;
  });

  it('has one leader, and all know it', async () => {
    await clock.advance(60_000);
    expect(leaders()).toEqual(['one', 'one']);
    expect(owners()).toEqual([true, false]);
    expect(servers[1]!.election.current()).toMatchObject({ name: 'one', address: 'one:4647' });
  });

  it('is held again when the lease of the leader ends, with a greater term', async () => {
    const { term } = servers[0]!.election.current()!;
    etcd.respondsToRenewals = false;
    etcd.fault = (method) => (method === methods.leaseGrant.path ? 'lost' : 'none');
    await clock.advance(3_999);
    expect(owners()).toEqual([true, false]);
    await clock.advance(1);
    expect(owners()).toEqual([false, false]);
    etcd.respondsToRenewals = true;
    etcd.fault = () => 'none';
    await clock.advance(5_000);
    expect(owners().filter(Boolean)).toHaveLength(1);
    expect(servers[0]!.election.current()!.term).toBeGreaterThan(term);
  });

  it('is held again when the leader resigns and no longer campaigns', async () => {
    const notified: unknown[] = [];
    servers[1]!.election.subscribe(() => notified.push(servers[1]!.election.current()?.name));
    await servers[0]!.election.resign();
    expect(owners()[0]).toBe(false);
    await settled();
    expect(owners()).toEqual([false, true]);
    expect(notified.at(-1)).toBe('two');
    servers[0]!.election.campaign(candidate('one'));
    await servers[1]!.election.resign();
    await settled();
    expect(owners()).toEqual([true, false]);
  });

  it('removes a leader that is dead, and only that one', async () => {
    const { term } = servers[1]!.election.current()!;
    await servers[1]!.election.removeLeader(term - 1);
    expect(owners()).toEqual([true, false]);
    await servers[1]!.election.removeLeader(term);
    await settled();
    expect(servers[0]!.election.current()!.term).toBeGreaterThan(term);
    expect(owners().filter(Boolean)).toHaveLength(1);
  });

  it('keeps its leader while there is no space to elect another', async () => {
    etcd.store.isFull = true;
    const { term } = servers[0]!.election.current()!;
    await expect(servers[0]!.election.resign()).rejects.toMatchObject({ code: 'no-space' });
    await expect(servers[1]!.election.removeLeader(term)).rejects.toMatchObject({ code: 'no-space' });
    await settled();
    expect(owners()).toEqual([true, false]);
    expect(servers[0]!.election.current()!.term).toBe(term);
  });

  it.each([
    ['unanswered', 'none'],
    ['lost', 'none'],
    ['lost', 'not-sent'],
    ['unanswered', 'unanswered'],
    ['late', 'none'],
  ] as const)('ends with one leader when its outcome is %s, then %s', async (...faults) => {
    nextElections(...faults);
    await servers[0]!.election.resign();
    await clock.advance(2_000);
    expect(owners()).toEqual([false, true]);
    etcd.deliver();
    await clock.advance(1_000);
    expect(owners()).toEqual([false, true]);
    expect(leaders()).toEqual(['two', 'two']);
  });

  it('goes on after its streams broke, and hears what it missed', async () => {
    etcd.breakStreams();
    await servers[0]!.election.resign();
    etcd.breakStreams();
    await clock.advance(1_000);
    expect(leaders()).toEqual(['two', 'two']);
  });

  it('hears of the leader of a store that was restored', async () => {
    const old = etcd.store.fork();
    await servers[0]!.election.resign();
    await settled();
    expect(leaders()).toEqual(['two', 'two']);
    etcd.store = old;
    etcd.breakStreams();
    await clock.advance(1_000);
    expect(leaders()).toEqual(['one', 'one']);
  });
});
