import {
  compactRegularly,
  joinElection,
  joinRegistry,
  keepLease,
  type Clock as MonotonicClock,
  type Connection,
  type ElectedLeader,
} from '@tamis/etcd';
import type { Clock } from '../clock.js';
import type { EtcdStorage } from '../storage/etcd/etcd-storage.js';
import { createLeadership, termOf, type Leader, type Leadership, type Server } from './leadership.js';
import { mayDialPeer } from './peer-address.js';
import { disagreement, type DisagreementError } from './shared-settings.js';
import { readRegistration, registrationOf, type RegisteredServer, type ServerList } from './server-list.js';

/** The leadership of a server that stands for election in etcd. */
export interface ElectedLeadership extends Leadership {
  readonly servers: ServerList;
  /**
   * Makes this server known to the others, which must be able to reach it from now on, and stands for election: at once
   * where there has been a leader before, else when enough servers are known.
   */
  stand(self: RegisteredServer): void;
  /**
   * Stands no more, and makes room for another server.
   *
   * @throws EtcdError `no-space`: nobody else could be elected, and this server goes on leading.
   */
  resign(): Promise<void>;
  /**
   * Removes another leader, of which this server knows that no process is left of it. Nothing happens when it leads no more.
   *
   * @throws EtcdError `no-space`: then nobody else could be elected.
   */
  removeLeader(term: number): Promise<void>;
  /** Gives up the lease, and with it what is left of the leadership. */
  close(): Promise<void>;
}

/** The server that takes part in an election, and what it tells of it. */
export interface ElectionOptions {
  readonly clock: Clock;
  readonly self: Server;
  /** Servers that must have registered before the first leader of all is elected. */
  readonly bootstrapExpect: number;
  /** Whether this server reaches others by mutual TLS, and they it. */
  readonly hasMutualTls: boolean;
  /** Told of what kept an elected server from leading. */
  readonly failed: (error: unknown) => void;
  /** Told of what keeps revisions in etcd that nobody needs any more. */
  readonly uncompacted: (error: unknown) => void;
  /** Told of another server that has registered under the name of this one. */
  readonly displaced: (by: RegisteredServer | null) => void;
  /** Told when etcd has not answered for the length of a lease, and when it does again. */
  readonly contact: (isThere: boolean) => void;
  /** Told that this server must not share the state with servers that were there before it: it stands no more. */
  readonly disagrees: (error: DisagreementError) => void;
}

/** The etcd in which servers elect their leader. */
export interface ElectionPlace {
  readonly connection: Connection;
  /** The storage that the leader appends to, and whose log this server follows. */
  readonly storage: Pick<EtcdStorage, 'lead' | 'renew'> & {
    readonly log: Pick<EtcdStorage['log'], 'head' | 'refresh' | 'refreshedAt'>;
  };
  /** The prefix of the log. */
  readonly prefix: string;
  /** Seconds after which a leader that is not heard of is replaced; at least 2. */
  readonly leaseTtl: number;
  /** The clock of the lease, which never goes back. */
  readonly monotonic: MonotonicClock;
}

/** Milliseconds between two reads that tell how old the state of this server is. */
const contactInterval = 250;
/** Milliseconds before a server that was elected and could not begin tries again. */
const retryDelay = 250;
/** Milliseconds that an elected server is given to apply what was committed before. */
const catchUpPatience = 60_000;

/**
 * Leads when etcd has elected it and it has applied everything that was committed before. It ceases to when the lease may
 * have ended, by a clock that it looks at each time: a process that was stopped finds out before it acts.
 */
export function createElectedLeadership(options: ElectionPlace & ElectionOptions): ElectedLeadership {
  const { connection: transport, clock, monotonic, prefix, leaseTtl, self, failed } = options;
  const { bootstrapExpect, displaced, hasMutualTls, storage } = options;
  const { log } = storage;
  const leadership = createLeadership(clock);
  const lease = keepLease({ transport, clock: monotonic, ttl: leaseTtl });
  const election = joinElection({ transport, clock: monotonic, lease, key: `${prefix}leader` });
  const registry = joinRegistry({
    ...{ transport, clock: monotonic, lease, prefix: `${prefix}s/` },
    displaced: (by) => displaced(readRegistration(by)),
  });
  /** The term in which this server has begun to lead, or is about to. */
  let begun: number | null = null;
  /** Whether this server waits for others before it stands for election. */
  let isWaiting = false;
  /** Whether others can reach this server. */
  let isListening = false;
  let isRemoving = false;
  /** This server as it has registered. */
  let registered: RegisteredServer | null = null;
  /** Whether this server must not be one of them. */
  let isRefused = false;
  const startedAt = monotonic.now();
  const closing = new AbortController();

  function servers(): readonly RegisteredServer[] {
    return registry
      .registrations()
      .map(readRegistration)
      .filter((server) => server !== null)
      .filter(mayDial);
  }

  function mayDial({ address }: Server): boolean {
    return mayDialPeer(address, hasMutualTls);
  }

  /** Servers that come at the same time see each other only now: the one that came later leaves. */
  function compareSettings(): void {
    const settings = registered?.settings;
    if (settings === undefined || isRefused) return;
    const all = registry.registrations();
    const own = all.find(({ name }) => name === self.name);
    const before = all.filter(({ since }) => own !== undefined && since < own.since);
    const problem = disagreement(
      settings,
      before.map(readRegistration).filter((server) => server !== null),
    );
    if (problem === null) return;
    isRefused = true;
    isWaiting = false;
    leadership.announce({ location: 'nobody' });
    // It may lead already.
    void election.resign().catch(() => undefined);
    options.disagrees(problem);
  }

  /** A log that holds something has had a leader: it takes no more than one server to lead again. */
  function standWithOthers(): void {
    if (!isWaiting || (log.head() === undefined && servers().length < bootstrapExpect)) return;
    isWaiting = false;
    election.campaign(self);
  }

  /**
   * Removes a leader's key that this server has left, under a lease that has lapsed or in a run before: it is this server
   * that listens at the address now.
   */
  async function removeOwnLeftover(): Promise<void> {
    const leader = election.current();
    if (!isListening || isRemoving || leader?.isOwn !== false || !isSelf(leader)) return;
    isRemoving = true;
    // Where it fails the next look tries again, and the lease ends by itself.
    await election.removeLeader(leader.term).catch(() => undefined);
    isRemoving = false;
  }

  function isSelf({ name, address }: ElectedLeader): boolean {
    return name === self.name && address === self.address;
  }

  function tend(): void {
    standWithOthers();
    void removeOwnLeftover();
  }

  function look(): void {
    if (isRefused) return;
    tend();
    const leader = election.current();
    if (leader?.isOwn === true) {
      if (begun === leader.term) return;
      begun = leader.term;
      leadership.announce({ location: 'nobody' });
      void begin(leader);
      return;
    }
    begun = null;
    const isThere = leader !== undefined && !isSelf(leader) && mayDial(leader) && isInContact();
    leadership.announce(isThere ? asThere(leader) : { location: 'nobody' });
  }

  /** All that was committed in earlier terms is applied here, and in its place in etcd, before anything new is. */
  async function begin({ term }: ElectedLeader): Promise<void> {
    while (begun === term && !closing.signal.aborted) {
      try {
        const isReady = await storage.lead(term, catchUpPatience);
        if (begun !== term || closing.signal.aborted) return;
        if (isReady) {
          leadership.announce({ location: 'here', server: self, term });
          return;
        }
      } catch (error) {
        failed(error);
      }
      await wait(retryDelay);
    }
  }

  function wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void monotonic.after(milliseconds, resolve));
  }

  /** Milliseconds for which something newer may be there than is here. */
  function contactAge(): number {
    return monotonic.now() - Math.max(log.refreshedAt(), startedAt);
  }

  /** A server that has not heard of etcd for the length of a lease knows nothing of who leads. */
  function isInContact(): boolean {
    return contactAge() < leaseTtl * 1_000;
  }

  /** A store that was restored while this server leads has the leader's key in it, so that it goes on leading. */
  async function renewHistory(): Promise<void> {
    const term = termOf(current());
    // Where it fails the next look tries again.
    if (term !== null) await storage.renew(term).catch(() => undefined);
  }

  /** A read that all members agree on is the only sign that nothing newer is there. */
  async function keepContact(): Promise<void> {
    let wasInContact = true;
    while (!closing.signal.aborted) {
      // An error says that the state grows older, which is what is measured.
      await log.refresh().catch(() => undefined);
      if (isInContact() !== wasInContact) {
        wasInContact = !wasInContact;
        options.contact(wasInContact);
      }
      look();
      await renewHistory();
      await wait(contactInterval);
    }
  }

  function current(): Leader {
    if (isRefused) return { location: 'nobody' };
    const known = leadership.current();
    if (known.location !== 'here') return isInContact() ? known : { location: 'nobody' };
    const elected = election.current();
    return elected?.isOwn === true && elected.term === known.term ? known : { location: 'nobody' };
  }

  const unsubscribe = [
    election.subscribe(look),
    registry.subscribe(compareSettings),
    registry.subscribe(standWithOthers),
  ];
  void keepContact();
  void compactRegularly({
    ...{ transport, clock: monotonic, signal: closing.signal, onFailure: options.uncompacted },
    isDue: () => termOf(current()) !== null,
  });
  return {
    ...leadership,
    current,
    contact() {
      const { location } = current();
      const lastContact = location === 'here' ? 0 : Math.trunc(contactAge());
      return { lastContact, knownLeader: location !== 'nobody' };
    },
    async require(signal, patience) {
      const known = current();
      if (known.location !== 'nobody') return known;
      // What was announced has lapsed, and nobody has been told yet.
      if (leadership.current().location !== 'nobody') look();
      return leadership.require(signal, patience);
    },
    servers: { all: servers, subscribe: (listener) => registry.subscribe(listener) },
    stand(server) {
      registered = server;
      registry.register(registrationOf(server));
      isWaiting = true;
      isListening = true;
      tend();
    },
    async resign() {
      isWaiting = false;
      await election.resign();
    },
    removeLeader: (term) => election.removeLeader(term),
    async close() {
      closing.abort();
      leadership.stop();
      for (const withdraw of unsubscribe) withdraw();
      leadership.announce({ location: 'nobody' });
      election.close();
      registry.close();
      await lease.close();
    },
  };
}

function asThere({ name, address, term }: ElectedLeader): Leader {
  return { location: 'there', server: { name, address }, term };
}
