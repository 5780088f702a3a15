import { afterEach, describe, expect, it } from 'vitest';
import { renewLease, type LeaseRenewer } from '../../src/election/lease.js';
import { methods } from '../../src/protocol/methods.js';
import { createFakeClock, settled, type FakeClock } from '../support/fake-clock.js';
import { createModelEtcd, type ModelEtcd } from '../support/model-etcd.js';
import { createModelStore } from '../support/model-store.js';

let clock: FakeClock;
let etcd: ModelEtcd;
let renewer: LeaseRenewer;

async function occupyPort(): Promise<void> {
  clock = createFakeClock();
  etcd = createModelEtcd(createModelStore(), clock);
  renewer = renewLease({ transport: etcd, clock, ttl: 4 });
  await settled();
}

describe('a lease', () => {
  afterEach(async () => {
    const closed = renewer.close();
    etcd.fault = () => 'none';
    await clock.advance(10_000);
    await closed;
  });

  it('is held, and kept', async () => {
    await occupyPort();
    const pending = renewer.current();
    expect(pending).toBeDefined();
    await clock.advance(60_000);
    expect(renewer.current()).toBe(pending);
  });

  it('is lost when its time has passed since the last renewal was sent', async () => {
    await occupyPort();
    const notified: boolean[] = [];
    renewer.subscribe(() => notified.push(renewer.current() !== undefined));
    await clock.advance(2_500);
    etcd.respondsToRenewals = false;
    etcd.fault = () => 'lost';
    // Renewed at 1,000 and 2,000 ms.
    await clock.advance(3_499);
    expect(renewer.current()).toBeDefined();
    expect(notified).toEqual([]);
    await clock.advance(1);
    expect(renewer.current()).toBeUndefined();
    expect(notified).toEqual([false]);
  });

  it('is lost for a process that was stopped before any timer fires', async () => {
    await occupyPort();
    clock.jump(4_000);
    expect(renewer.current()).toBeUndefined();
  });

  it('is lost when etcd says so, and replaced', async () => {
    await occupyPort();
    const first = renewer.current();
    await etcd.call(methods.leaseRevoke, { ID: first!.id });
    await clock.advance(1_000);
    expect(renewer.current()).toBeDefined();
    expect(renewer.current()?.id).not.toBe(first!.id);
  });

  it('is revoked when released, and the next one waits for the response', async () => {
    await occupyPort();
    const first = renewer.current();
    const requests: string[] = [];
    etcd.fault = (method) => {
      requests.push(method);
      return requests.length < 4 ? 'lost' : 'none';
    };
    renewer.abandon();
    expect(renewer.current()).toBeUndefined();
    await clock.advance(1_000);
    expect(requests).toEqual([...Array<string>(4).fill(methods.leaseRevoke.path), methods.leaseGrant.path]);
    expect(renewer.current()?.id).not.toBe(first!.id);
  });

  it('is requested again after a failure', async () => {
    await occupyPort();
    etcd.fault = (method) => (method === methods.leaseGrant.path ? 'lost' : 'none');
    renewer.abandon();
    await clock.advance(5_000);
    expect(renewer.current()).toBeUndefined();
    etcd.fault = () => 'none';
    await clock.advance(5_000);
    expect(renewer.current()).toBeDefined();
  });

  it.each([0, 1, 2.5, NaN])('of %s seconds is refused', async (ttl) => {
    await occupyPort();
    expect(() => renewLease({ transport: etcd, clock, ttl })).toThrow(
      expect.objectContaining({ code: 'configuration' }),
    );
  });
});
