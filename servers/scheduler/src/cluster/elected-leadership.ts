import type { Clock as MonotonicClock, ElectedLeader, Election, Registry } from '@tamis/etcd';
import { mayDialPeer } from '@tamis/http';
import type { Clock } from '../clock.js';
import {
  createLeadership,
  termOf,
  type AnnouncedLeadership,
  type Leader,
  type Leadership,
  type Server,
} from './leadership.js';
import { disagreement, type DisagreementError } from './shared-settings.js';
import { readRegistration, registrationOf, type RegisteredServer, type ServerList } from './server-list.js';

/** The leadership of a server that stands for election. */
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
   * @throws when nobody else could be elected (etcd has no space left): this server goes on leading.
   */
  resign(): Promise<void>;
  /**
   * Removes another leader, of which this server knows that no process is left of it. Nothing happens when it leads no more.
   *
   * @throws when nobody else could be elected.
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
  /** Told of what keeps revisions in the store that nobody needs any more. */
  readonly uncompacted: (error: unknown) => void;
  /** Told of another server that has registered under the name of this one. */
  readonly displaced: (by: RegisteredServer | null) => void;
  /** Told when the store has not answered for the length of a lease, and when it does again. */
  readonly contact: (isThere: boolean) => void;
  /** Told that this server must not share the state with servers that were there before it: it stands no more. */
  readonly disagrees: (error: DisagreementError) => void;
}

/** A store in which servers elect their leader. */
export interface ElectionPlace {
  readonly election: Election;
  readonly registry: Registry;
  /** The storage that the leader appends to, and whose log this server follows. */
  readonly storage: {
    /**
     * Prepares the log for a leader: waits until everything is applied here that was committed before its term, and ends
     * what the leader before has left. Resolves to whether it may append.
     */
    lead(term: number, patience: number): Promise<boolean>;
    /** Gives the history a new number where nobody can know whether it is the one from before. */
    renew(term: number): Promise<boolean>;
    readonly log: {
      /** The end of the log; nothing where there has never been a leader. */
      head(): object | undefined;
      /** Resolves when this server holds everything that was committed before the call. */
      refresh(): Promise<void>;
      /** The time of the monotonic clock at which the last refresh that is done began. */
      refreshedAt(): number;
    };
  };
  /** Seconds after which a leader that is not heard of is replaced; at least 2. */
  readonly leaseTtl: number;
  /** The clock of the lease, which never goes back. */
  readonly monotonic: MonotonicClock;
}

type Options = ElectionPlace & Omit<ElectionOptions, 'displaced' | 'uncompacted'>;

/** Milliseconds between two reads that tell how old the state of this server is. */
const contactInterval = 250;
/** Milliseconds before a server that was elected and could not begin tries again. */
const retryDelay = 250;
/** Milliseconds that an elected server is given to apply what was committed before. */
const catchUpPatience = 60_000;

const nobody: Leader = { location: 'nobody' };

/**
 * Leads when it has been elected and has applied everything that was committed before. It ceases to when the lease may
 * have ended, by a clock that it looks at each time: a process that was stopped finds out before it acts.
 *
 * It closes neither the election nor the registry nor the lease behind them.
 */
export function createElectedLeadership(options: Options): ElectedLeadership {
  const { election, registry, storage } = options;
  const leadership = createLeadership(options.clock);
  const contact = createContact(options);
  const peers = createPeers(options);
  const candidacy = createCandidacy(options, peers);
  const closing = new AbortController();
  const office = createOffice(options, leadership, closing.signal);
  /** Whether this server must not be one of them. */
  let isRefused = false;

  function look(): void {
    if (isRefused) return;
    candidacy.tend();
    const leader = election.current();
    if (leader?.isOwn === true) {
      office.enter(leader);
      return;
    }
    office.leave();
    const isThere = leader !== undefined && peers.isOther(leader) && contact.isThere();
    leadership.announce(isThere ? asThere(leader) : nobody);
  }

  function refuse(problem: DisagreementError): void {
    isRefused = true;
    leadership.announce(nobody);
    // It may lead already.
    void candidacy.withdraw().catch(() => undefined);
    options.disagrees(problem);
  }

  function current(): Leader {
    if (isRefused) return nobody;
    const known = leadership.current();
    if (known.location !== 'here') return contact.isThere() ? known : nobody;
    const elected = election.current();
    return elected?.isOwn === true && elected.term === known.term ? known : nobody;
  }

  /** A store that was restored while this server leads has the leader's key in it, so that it goes on leading. */
  async function renewHistory(): Promise<void> {
    const term = termOf(current());
    // Where it fails the next look tries again.
    if (term !== null) await storage.renew(term).catch(() => undefined);
  }

  async function keepLooking(): Promise<void> {
    while (!closing.signal.aborted) {
      await contact.keep();
      look();
      await renewHistory();
      await wait(options.monotonic, contactInterval);
    }
  }

  const unsubscribe = [
    election.subscribe(look),
    registry.subscribe(() => {
      const problem = isRefused ? null : candidacy.disagreement();
      if (problem !== null) refuse(problem);
    }),
    registry.subscribe(candidacy.tend),
  ];
  void keepLooking();
  return {
    ...leadership,
    current,
    contact() {
      const { location } = current();
      const lastContact = location === 'here' ? 0 : Math.trunc(contact.age());
      return { lastContact, knownLeader: location !== 'nobody' };
    },
    async require(signal, patience) {
      const known = current();
      if (known.location !== 'nobody') return known;
      // What was announced has lapsed, and nobody has been told yet.
      if (leadership.current().location !== 'nobody') look();
      return leadership.require(signal, patience);
    },
    servers: { all: peers.all, subscribe: (listener) => registry.subscribe(listener) },
    stand: (server) => candidacy.stand(server),
    resign: candidacy.withdraw,
    removeLeader: (term) => election.removeLeader(term),
    async close() {
      closing.abort();
      leadership.stop();
      for (const withdraw of unsubscribe) withdraw();
      leadership.announce(nobody);
    },
  };
}

function asThere({ name, address, term }: ElectedLeader): Leader {
  return { location: 'there', server: { name, address }, term };
}

/** The contact of a server with the store: how old its state may be. */
interface Contact {
  /** Milliseconds for which something newer may be there than is here. */
  age(): number;
  /** Whether it has heard of it within a lease: one that has not knows nothing of who leads. */
  isThere(): boolean;
  /** Looks for what is newer, and tells of a contact that is lost or is there again. */
  keep(): Promise<void>;
}

function createContact({ contact: tell, leaseTtl, monotonic, storage: { log } }: Options): Contact {
  const startedAt = monotonic.now();
  let wasThere = true;
  const age = (): number => monotonic.now() - Math.max(log.refreshedAt(), startedAt);
  const isThere = (): boolean => age() < leaseTtl * 1_000;
  return {
    age,
    isThere,
    async keep() {
      // A read that all members agree on is the only sign that nothing newer is there; an error says that the state
      // grows older, which is what is measured.
      await log.refresh().catch(() => undefined);
      if (isThere() === wasThere) return;
      wasThere = !wasThere;
      tell(wasThere);
    },
  };
}

/** The servers that have registered, and may be asked. */
interface Peers {
  readonly all: () => readonly RegisteredServer[];
  isSelf(server: Server): boolean;
  /** Whether it is another server, to which requests may be sent. */
  isOther(server: Server): boolean;
}

function createPeers({ hasMutualTls, registry, self }: Options): Peers {
  const mayDial = ({ address }: Server): boolean => mayDialPeer(address, hasMutualTls);
  const isSelf = ({ name, address }: Server): boolean => name === self.name && address === self.address;
  return {
    all: () => known(registry.registrations()).filter(mayDial),
    isSelf,
    isOther: (server) => !isSelf(server) && mayDial(server),
  };
}

function known(registrations: ReturnType<Registry['registrations']>): readonly RegisteredServer[] {
  return registrations.map(readRegistration).filter((server) => server !== null);
}

/** The candidacy of this server: when it stands for election, and whether it may. */
interface Candidacy {
  stand(server: RegisteredServer): void;
  /** Stands no more, and makes room. */
  readonly withdraw: () => Promise<void>;
  /** Does what is due: stands, when enough others are there, and removes what it has left behind itself. */
  readonly tend: () => void;
  /** Why this server must not be one of them; null where it may. */
  disagreement(): DisagreementError | null;
}

function createCandidacy(
  { bootstrapExpect, election, registry, self, storage: { log } }: Options,
  peers: Peers,
): Candidacy {
  /** Whether it waits for others before it stands. */
  let isWaiting = false;
  let isRemoving = false;
  /** This server as it has registered: from then on others can reach it. */
  let registered: RegisteredServer | null = null;

  /** A log that holds something has had a leader: it takes no more than one server to lead again. */
  function standWithOthers(): void {
    if (!isWaiting || (log.head() === undefined && peers.all().length < bootstrapExpect)) return;
    isWaiting = false;
    election.campaign(self);
  }

  /**
   * Removes a leader's key that this server has left, under a lease that has lapsed or in a run before: it is this server
   * that listens at the address now.
   */
  async function removeOwnLeftover(): Promise<void> {
    const leader = election.current();
    if (registered === null || isRemoving || leader?.isOwn !== false || !peers.isSelf(leader)) return;
    isRemoving = true;
    // Where it fails the next look tries again, and the lease ends by itself.
    await election.removeLeader(leader.term).catch(() => undefined);
    isRemoving = false;
  }

  function tend(): void {
    standWithOthers();
    void removeOwnLeftover();
  }

  return {
    tend,
    stand(server) {
      registered = server;
      registry.register(registrationOf(server));
      isWaiting = true;
      tend();
    },
    async withdraw() {
      isWaiting = false;
      await election.resign();
    },
    disagreement() {
      const settings = registered?.settings;
      if (settings === undefined) return null;
      const all = registry.registrations();
      const own = all.find(({ name }) => name === self.name);
      // Servers that come at the same time see each other only now: the one that came later leaves.
      return disagreement(settings, known(all.filter(({ since }) => own !== undefined && since < own.since)));
    },
  };
}

/** The office of a leader, which this server enters in each term that it is elected for. */
interface Office {
  /** Begins to lead, as soon as it may. Nothing happens where it has begun. */
  enter(leader: ElectedLeader): void;
  leave(): void;
}

function createOffice(
  { failed, monotonic, self, storage }: Options,
  leadership: AnnouncedLeadership,
  closing: AbortSignal,
): Office {
  /** The term in which this server has begun to lead, or is about to. */
  let begun: number | null = null;

  /** All that was committed in earlier terms is applied here, and in its place in the store, before anything new is. */
  async function begin(term: number): Promise<void> {
    const isDue = (): boolean => begun === term && !closing.aborted;
    while (isDue()) {
      try {
        const isReady = await storage.lead(term, catchUpPatience);
        if (!isDue()) return;
        if (isReady) {
          leadership.announce({ location: 'here', server: self, term });
          return;
        }
      } catch (error) {
        failed(error);
      }
      await wait(monotonic, retryDelay);
    }
  }

  return {
    enter({ term }) {
      if (begun === term) return;
      begun = term;
      leadership.announce(nobody);
      void begin(term);
    },
    leave() {
      begun = null;
    },
  };
}

function wait(clock: Pick<MonotonicClock, 'after'>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(milliseconds, resolve));
}
