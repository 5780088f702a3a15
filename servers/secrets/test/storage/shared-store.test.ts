import { afterEach, describe, expect, it } from 'vitest';
import { EtcdError } from '@tamis/etcd';
import { methods } from '../../../etcd/src/protocol/methods.js';
import { putOperation } from '../../../etcd/src/protocol/requests.js';
import type { OpenStore } from '../../src/storage/driver.js';
import type { Change } from '../../src/storage/storage.js';
import { becomeActive, createModelled, openModelled, type Modelled } from '../support/modelled-store.js';

const put = (path: string, text: string): Change => ({ path, value: Buffer.from(text) });

describe('a store that servers share', () => {
  const opened: OpenStore[] = [];
  afterEach(async () => {
    for (const { storage } of opened.splice(0)) void storage.close();
  });

  async function open(modelled: Modelled, at: number): Promise<OpenStore> {
    const store = await openModelled(modelled, at);
    opened.push(store);
    return store;
  }

  const text = async ({ storage }: OpenStore, path: string): Promise<string | null> => {
    const value = await storage.get(path);
    return value === null ? null : Buffer.from(value).toString();
  };

  const leaderTerm = ({ election }: OpenStore): number => {
    const active = election!.current();
    return active.location === 'here' ? active.leaderTerm : 0;
  };

  it('is written by the active server alone, and read as it is by all', async () => {
    const modelled = createModelled();
    const [first, second] = [await open(modelled, 1), await open(modelled, 2)];
    await expect(first.storage.write([put('a', '1')])).rejects.toMatchObject({ code: 'standby' });
    await becomeActive(first);
    await first.storage.write([put('a', '1')]);
    expect(await text(second, 'a')).toBe('1');
    expect(second.election!.current()).toEqual({ location: 'there', address: '127.0.0.1:1', api: '' });
    await expect(second.storage.write([put('a', '2')])).rejects.toMatchObject({ code: 'standby' });
    expect(await text(first, 'a')).toBe('1');
  });

  it('goes to another server, with all that was written, and the one before writes nothing', async () => {
    const modelled = createModelled();
    const [first, second] = [await open(modelled, 1), await open(modelled, 2)];
    await becomeActive(first);
    await first.storage.write([put('a', '1')]);
    const before = leaderTerm(first);
    expect(await first.election!.confirm(before)).toBe(true);
    await first.election!.withdraw();
    await becomeActive(second);
    expect(await text(second, 'a')).toBe('1');
    expect(await first.election!.confirm(before)).toBe(false);
    await expect(first.storage.write([put('a', '2')])).rejects.toMatchObject({ code: 'standby' });
  });

  it('takes nothing that was thought out in an office before', async () => {
    const modelled = createModelled();
    const store = await open(modelled, 1);
    await becomeActive(store);
    const before = leaderTerm(store);
    await store.election!.withdraw();
    await becomeActive(store);
    expect(leaderTerm(store)).not.toBe(before);
    await expect(store.storage.write([put('a', 'old')], before)).rejects.toMatchObject({ code: 'standby' });
    await store.storage.write([put('a', 'new')], leaderTerm(store));
    expect(await text(store, 'a')).toBe('new');
  });

  it('writes once for a commit in etcd that succeeded without a response', async () => {
    const modelled = createModelled();
    const store = await open(modelled, 1);
    await becomeActive(store);
    let left = 1;
    modelled.etcd.fault = (method) => (method.endsWith('Txn') && (left -= 1) >= 0 ? 'unanswered' : 'none');
    const written = store.storage.write([put('a', '1')]);
    await expect.poll(() => left).toBeLessThanOrEqual(0);
    await modelled.clock.advance(1_000);
    await written;
    expect(await text(store, 'a')).toBe('1');
  });

  it('refuses what is too large for etcd, and what has no space there, and goes on', async () => {
    const modelled = createModelled();
    const store = await open(modelled, 1);
    await becomeActive(store);
    const large = { path: 'a', value: Buffer.alloc((1 << 20) + 1) };
    await expect(store.storage.write([large])).rejects.toMatchObject({ code: 'body-too-large' });
    modelled.etcd.store.isFull = true;
    await expect(store.storage.write([put('a', '1')])).rejects.toMatchObject({ code: 'no-space' });
    modelled.etcd.store.isFull = false;
    await store.storage.write([put('a', '2')]);
    expect(await text(store, 'a')).toBe('2');
  });

  it('refuses what another program, or a later version, keeps below the prefix', async () => {
    const modelled = createModelled();
    const head = JSON.stringify({ id: 'x', incarnation: 'y', staged: 0, state: '{"format":2}' });
    await modelled.etcd.call(methods.txn, {
      compare: [],
      success: [putOperation('/secrets/head', Buffer.from(head))],
      failure: [],
    });
    await expect(open(modelled, 1)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('reports at startup that etcd is unreachable', async () => {
    const modelled = createModelled();
    const message = 'etcd cannot be reached: https://etcd-1.example:2379: nobody is there';
    const call = (): Promise<never> => Promise.reject(new EtcdError('not-sent', message));
    await expect(open({ ...modelled, etcd: { ...modelled.etcd, call } }, 1)).rejects.toMatchObject({
      ...{ code: 'storage-failed', message },
    });
  });

  it('goes back with an etcd that was restored, and warns of it', async () => {
    const modelled = createModelled();
    const [first, second] = [await open(modelled, 1), await open(modelled, 2)];
    await becomeActive(first);
    await first.storage.write([put('a', '1')]);
    const snapshot = modelled.etcd.store.fork();
    await first.storage.write([put('a', '2')]);
    expect([first, second].map(({ election }) => election!.warnings())).toEqual([[], []]);
    modelled.etcd.store = snapshot;
    modelled.etcd.breakStreams();
    for (const { election } of [first, second]) {
      await expect
        .poll(async () => {
          await modelled.clock.advance(1_000);
          return election!.warnings();
        })
        .toEqual([expect.stringContaining('tokens revoked since then are valid again')]);
    }
    expect(await text(second, 'a')).toBe('1');
  });

  it('notifies watchers of a changed entry', async () => {
    const modelled = createModelled();
    const [first, second] = [await open(modelled, 1), await open(modelled, 2)];
    await becomeActive(first);
    let reported = 0;
    second.election!.watch('core/data-keys', () => (reported += 1));
    await first.storage.write([put('a', '1')]);
    await first.storage.write([put('core/data-keys', '1')]);
    await expect.poll(() => reported).toBe(1);
  });
});
