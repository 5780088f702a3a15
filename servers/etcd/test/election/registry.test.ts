import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renewLease, type LeaseRenewer } from '../../src/election/lease.js';
import { joinRegistry, type OwnRegistration, type Registry } from '../../src/election/registry.js';
import { methods } from '../../src/protocol/methods.js';
import { deleteOperation } from '../../src/protocol/requests.js';
import { createFakeClock, settled, type FakeClock } from '../support/fake-clock.js';
import { createModelEtcd, type ModelEtcd } from '../support/model-etcd.js';
import { createModelStore } from '../support/model-store.js';

interface Server {
  readonly registry: Registry;
  readonly lease: LeaseRenewer;
  /** Those who have taken its name. */
  readonly displacedBy: OwnRegistration[];
}

let clock: FakeClock;
let etcd: ModelEtcd;
let servers: Server[];

function join(): Server {
  const lease = renewLease({ transport: etcd, clock, ttl: 4 });
  const displacedBy: OwnRegistration[] = [];
  const displaced = (by: OwnRegistration): void => void displacedBy.push(by);
  const registry = joinRegistry({ transport: etcd, clock, lease, prefix: '/x/s/', displaced });
  servers.push({ registry, lease, displacedBy });
  return servers.at(-1)!;
}

async function register(name: string, value = name.toUpperCase()): Promise<Server> {
  const server = join();
  server.registry.register({ name, value });
  await settled();
  return server;
}

function names({ registry }: Server): string {
  return registry
    .registrations()
    .map(({ name, value }) => `${name}=${value}`)
    .join(' ');
}

async function stop({ registry, lease }: Server): Promise<void> {
  registry.close();
  await lease.close();
}

describe('a registry', () => {
  beforeEach(() => {
    clock = createFakeClock();
    etcd = createModelEtcd(createModelStore(), clock);
    servers = [];
  });

  afterEach(async () => {
    etcd.fault = () => 'none';
    const closed = Promise.all(servers.map(stop));
    await clock.advance(10_000);
    await closed;
  });

  it('shows everybody to everybody, in the order of their names', async () => {
    const two = await register('two');
    const one = await register('one');
    const watcher = join();
    await clock.advance(60_000);
    for (const server of [one, two, watcher]) expect(names(server)).toBe('one=ONE two=TWO');
    expect(servers.flatMap(({ displacedBy }) => displacedBy)).toEqual([]);
  });

  it('removes entries when their lease has ended', async () => {
    const one = await register('one');
    const two = await register('two');
    const notified: string[] = [];
    two.registry.subscribe(() => notified.push(names(two)));
    await stop(one);
    await settled();
    expect(names(two)).toBe('two=TWO');
    expect(notified.at(-1)).toBe('two=TWO');
  });

  it('registers again under a new lease, after a removal and after a break', async () => {
    const one = await register('one');
    one.lease.abandon();
    await clock.advance(1_000);
    expect(names(one)).toBe('one=ONE');
    const remove = { compare: [], success: [deleteOperation({ key: '/x/s/one' })], failure: [] };
    await etcd.call(methods.txn, remove);
    await clock.advance(1_000);
    expect(names(one)).toBe('one=ONE');
    etcd.breakStreams();
    await clock.advance(1_000);
    expect(names(one)).toBe('one=ONE');
  });

  it.each(['not-sent', 'lost', 'unanswered'] as const)('goes on until it is there: %s', async (fault) => {
    const faults = [fault, fault];
    etcd.fault = (method) => (method === methods.txn.path ? (faults.shift() ?? 'none') : 'none');
    const one = await register('one');
    await clock.advance(12_000);
    expect(faults).toEqual([]);
    expect(names(one)).toBe('one=ONE');
  });

  it('assigns a name to the latest owner, and logs it', async () => {
    const first = await register('one', 'first');
    const second = await register('one', 'second');
    await clock.advance(60_000);
    expect(names(first)).toBe('one=second');
    expect(first.displacedBy).toEqual([{ name: 'one', value: 'second' }]);
    expect(second.displacedBy).toEqual([]);
  });

  it('takes the key over that an earlier run has left', async () => {
    const earlier = await register('one', 'earlier');
    earlier.registry.close();
    const later = await register('one', 'later');
    await clock.advance(60_000);
    expect(names(later)).toBe('one=later');
    expect(later.displacedBy).toEqual([]);
  });
});
