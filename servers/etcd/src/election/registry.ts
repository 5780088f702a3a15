import { createListeners, sleep } from '@tamis/http';
import type { Clock } from '../clock.js';
import type { Transport } from '../connection/transport.js';
import { EtcdError, isUnavailable } from '../errors.js';
import { methods } from '../protocol/methods.js';
import { prefixRange, putOperation, rangeRequest } from '../protocol/requests.js';
import { followRange } from '../watch/follow-range.js';
import { changeOf, type KeyChange } from '../watch/watch.js';
import type { LeaseRenewer } from './lease.js';

/** Delay before a failed registration is retried, in ms. */
const retryDelay = 100;
/** Delay before a registration that etcd refuses (no space, no permission) is retried, in ms. */
const refusedDelay = 1_000;

/** A present process: its lease is alive, or has expired so recently that etcd has not reported it yet. */
export interface Registration {
  readonly name: string;
  /** Value that the process has stored. */
  readonly value: string;
  /** Revision of the registration: the process with the lower one was registered first. */
  readonly since: number;
}

/** A registry of the processes that share a prefix. Each is registered under its name as long as its lease is alive. */
export type Registry = ReturnType<typeof joinRegistry>;

/** A process as it registers itself. */
export type OwnRegistration = Pick<Registration, 'name' | 'value'>;

export interface RegistryDependencies {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly lease: LeaseRenewer;
  /** Such as `/scheduler/global/s/`. */
  readonly prefix: string;
  /**
   * Called if a later process has registered under the name of this one. That one keeps the name: otherwise two processes would
   * take it from each other forever.
   */
  readonly displaced: (by: OwnRegistration) => void;
}

export function joinRegistry(dependencies: RegistryDependencies) {
  const { transport, clock, lease, prefix, displaced } = dependencies;
  const range = prefixRange(prefix);
  const closing = new AbortController();
  const listeners = createListeners();
  let received: ReadonlyMap<string, KeyChange> = new Map();
  /** This process as it registers; absent before it does. */
  let own: OwnRegistration | undefined;
  /** The lease under which it has registered last. */
  let registeredWith: bigint | undefined;
  let wake = (): void => undefined;
  const unsubscribe = lease.subscribe(() => wake());
  void followRange({ transport, clock, range, read, hear, signal: closing.signal });
  void run();

  function notifyChange(): void {
    wake();
    listeners.notify();
  }

  async function read(): Promise<number> {
    const { header, kvs } = await transport.call(methods.range, rangeRequest(range));
    received = new Map(kvs.map((kv) => changeOf(kv)).map((change) => [change.key, change]));
    notifyChange();
    return Number(header?.revision ?? 0);
  }

  /** A response and the watch report the same change, in either order. */
  function hear(change: KeyChange): void {
    if (change.modRevision < (received.get(change.key)?.modRevision ?? 0)) return;
    const changed = new Map(received);
    if (change.value === undefined) changed.delete(change.key);
    else changed.set(change.key, change);
    received = changed;
    noteDisplaced(change);
    notifyChange();
  }

  function noteDisplaced({ key, value, lease: leaseId }: KeyChange): void {
    if (own === undefined || value === undefined || key !== keyOf(own)) return;
    if (registeredWith === lease.current()?.id && registeredWith !== leaseId)
      displaced({ name: own.name, value: value.toString() });
  }

  function keyOf({ name }: OwnRegistration): string {
    return `${prefix}${name}`;
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      const current = lease.current();
      if (own !== undefined && current !== undefined && isDue(own, current.id)) await put(own, current.id);
      else await news();
    }
  }

  /** Under a new lease, and if the key is gone although the lease is alive: an operator has removed it. */
  function isDue(registration: OwnRegistration, leaseId: bigint): boolean {
    return registeredWith !== leaseId || !received.has(keyOf(registration));
  }

  function news(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
      if (closing.signal.aborted) resolve();
    });
  }

  async function put(registration: OwnRegistration, leaseId: bigint): Promise<void> {
    const key = keyOf(registration);
    const value = Buffer.from(registration.value);
    try {
      const { header } = await transport.call(methods.txn, {
        compare: [],
        success: [putOperation(key, value, leaseId)],
        failure: [],
      });
      registeredWith = leaseId;
      const revision = Number(header?.revision ?? 0);
      hear({ key, value, createRevision: revision, modRevision: revision, version: 1, lease: leaseId });
    } catch (error) {
      if (error instanceof EtcdError && error.code === 'lease-not-found') lease.abandon();
      await sleep(clock, isUnavailable(error) ? retryDelay : refusedDelay, closing.signal);
    }
  }

  return {
    /** Returns the known registrations, in the order of their names. */
    registrations: (): readonly Registration[] => registrationsOf(received.values(), prefix),
    /** Calls `listener` when they have changed. */
    subscribe: listeners.subscribe,
    /** Registers this process from now on, under each lease that it gets. */
    register(registration: OwnRegistration): void {
      own = registration;
      registeredWith = undefined;
      wake();
    },
    /** Stops registering. The registration ends with the lease, which the caller must close too. */
    close(): void {
      closing.abort();
      unsubscribe();
      wake();
    },
  };
}

/** The registrations in keys below a prefix, in the order of their names. */
export function registrationsOf(changes: Iterable<KeyChange>, prefix: string): readonly Registration[] {
  return [...changes]
    .map(({ key, value, createRevision: since }) => ({
      name: key.slice(prefix.length),
      value: value?.toString() ?? '',
      since,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
