import { sleep } from '@tamis/http';
import type { ElectedLeader } from '@tamis/etcd';
import { createCandidacy, createPeers } from './candidacy.js';
import type { ElectionContext } from './election-context.js';
import {
  createLeadership,
  termOf,
  type AnnouncedLeadership,
  type Leader,
  type Leadership,
} from './leadership.js';
import type { RegisteredServer, ServerList } from './server-list.js';
import type { DisagreementError } from './shared-settings.js';

/** The leadership of a server that runs for election. */
export interface ElectedLeadership extends Leadership {
  readonly servers: ServerList;
  /**
   * Registers this server, which other servers must be able to reach from now on, and runs for election: at once if there was a
   * leader before, otherwise once enough servers are known.
   */
  stand(self: RegisteredServer): void;
  /**
   * Withdraws from elections and lets another server become the leader.
   *
   * @throws if no other server could be elected (etcd has no space left): this server remains the leader.
   */
  resign(): Promise<void>;
  /**
   * Removes another leader whose process is known to have ended. Does nothing if that server is no longer the leader.
   *
   * @throws if no other server could be elected.
   */
  removeLeader(term: number): Promise<void>;
  /** Stops the leadership: this server then knows no leader. The owner of the election must also release the lease. */
  close(): Promise<void>;
}

/** Interval between reads that measure the age of this server's state, in ms. */
const contactInterval = 250;
/** Delay before an elected server retries if it could not start to lead, in ms. */
const retryDelay = 250;
/** Timeout for an elected server to apply all earlier commits, in ms. */
const catchUpTimeoutMs = 60_000;

const nobody: Leader = { location: 'nobody' };

/**
 * Creates the leadership of a server. The server leads once it is elected and has applied all earlier commits. It stops when its
 * lease may have expired. The clock is read each time, so that a suspended process notices before it acts.
 *
 * Closing it does not close the election, the registry or their lease.
 */
export function createElectedLeadership(options: ElectionContext): ElectedLeadership {
  const { election, registry, storage } = options;
  const leadership = createLeadership(options.clock);
  const contact = createContact(options);
  const peers = createPeers(options);
  const candidacy = createCandidacy(options, peers);
  const closing = new AbortController();
  const leaderTerm = createLeaderTerm(options, leadership, closing.signal);
  /** Whether this server must not share the state of the others. */
  let isRefused = false;

  function look(): void {
    if (isRefused) return;
    candidacy.tend();
    const leader = election.current();
    if (leader?.isOwn === true) {
      leaderTerm.enter(leader);
      return;
    }
    leaderTerm.leave();
    const isThere = leader !== undefined && peers.isOther(leader) && contact.isThere();
    leadership.announce(isThere ? asThere(leader) : nobody);
  }

  function refuse(problem: DisagreementError): void {
    isRefused = true;
    leadership.announce(nobody);
    // Does nothing about a failure: this server may already lead.
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

  /**
   * Renews the history if the store was restored while this server leads. Such a store contains the leader's key, so this server
   * continues to lead.
   */
  async function renewHistory(): Promise<void> {
    const term = termOf(current());
    // If this fails, the next check retries.
    if (term !== null) await storage.renew(term).catch(() => undefined);
  }

  async function pollLeader(): Promise<void> {
    while (!closing.signal.aborted) {
      await contact.maintain();
      look();
      await renewHistory();
      await sleep(options.monotonic, contactInterval, closing.signal);
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
  void pollLeader();
  return {
    ...leadership,
    current,
    contact() {
      const { location } = current();
      const lastContact = location === 'here' ? 0 : Math.trunc(contact.age());
      return { lastContact, knownLeader: location !== 'nobody' };
    },
    async require(signal, timeoutMs) {
      const known = current();
      if (known.location !== 'nobody') return known;
      // The announced leadership has expired, and listeners have not been notified yet.
      if (leadership.current().location !== 'nobody') look();
      return leadership.require(signal, timeoutMs);
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

/** The work of a leader, started in each term for which this server is elected. */
function createLeaderTerm(
  { failed, monotonic, self, storage }: ElectionContext,
  leadership: AnnouncedLeadership,
  closing: AbortSignal,
) {
  /** The term in which this server leads or is about to lead. */
  let started: number | null = null;

  /** Applies everything committed in earlier terms, here and in the store, before any new write. */
  async function begin(term: number): Promise<void> {
    const isDue = (): boolean => started === term && !closing.aborted;
    while (isDue()) {
      try {
        const isReady = await storage.lead(term, catchUpTimeoutMs);
        if (!isDue()) return;
        if (isReady) {
          leadership.announce({ location: 'here', server: self, term });
          return;
        }
      } catch (error) {
        failed(error);
      }
      await sleep(monotonic, retryDelay, closing);
    }
  }

  return {
    /** Starts leading as soon as possible. Does nothing if already started. */
    enter({ term }: ElectedLeader): void {
      if (started === term) return;
      started = term;
      leadership.announce(nobody);
      void begin(term);
    },
    leave(): void {
      started = null;
    },
  };
}

/** Contact of a server with the store. It determines how old the server's state can be. */
function createContact({ contact: reportContact, leaseTtl, monotonic, storage: { log } }: ElectionContext) {
  const startedAt = monotonic.now();
  let wasThere = true;
  const age = (): number => monotonic.now() - Math.max(log.refreshedAt(), startedAt);
  const isThere = (): boolean => age() < leaseTtl * 1_000;
  return {
    /** Returns the maximum age of this server's state, in ms. */
    age,
    /** Whether there was contact within the length of a lease. Without contact the leader is unknown. */
    isThere,
    /** Checks for newer data, and reports lost and restored contact. */
    async maintain(): Promise<void> {
      // Only a linearizable read proves that there is no newer data. If it fails, the measured age increases.
      await log.refresh().catch(() => undefined);
      if (isThere() === wasThere) return;
      wasThere = !wasThere;
      reportContact(wasThere);
    },
  };
}
