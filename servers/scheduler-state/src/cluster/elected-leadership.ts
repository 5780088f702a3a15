import type { ElectedLeader } from '@tamis/etcd';
import { sleep } from '@tamis/scheduler-model/base/backoff.js';
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
import { createContact } from './store-contact.js';

/** The leadership of a server that runs for election. */
export interface ElectedLeadership extends Leadership {
  readonly servers: ServerList;
  /**
   * Registers this server with the others, which must be able to reach it from now on, and runs for election: at once if there
   * has been a leader before, else when enough servers are known.
   */
  stand(self: RegisteredServer): void;
  /**
   * Withdraws from elections and resigns in favour of another server.
   *
   * @throws if no other server could be elected (etcd has no space left): this server remains the leader.
   */
  resign(): Promise<void>;
  /**
   * Removes another leader whose process is known to be gone. Does nothing if it is no longer the leader.
   *
   * @throws if no other server could be elected.
   */
  removeLeader(term: number): Promise<void>;
  /** Ends it: this server no longer knows a leader. The owner of the election must also release the lease. */
  close(): Promise<void>;
}

/** Interval between reads that measure the age of this server's state, in ms. */
const contactInterval = 250;
/** Milliseconds before a server that was elected and could not begin tries again. */
const retryDelay = 250;
/** Timeout for an elected server to apply all earlier commits, in ms. */
const catchUpTimeoutMs = 60_000;

const nobody: Leader = { location: 'nobody' };

/**
 * Leads once it is elected and has applied all earlier commits. It stops when the lease may have expired, by a clock that is read
 * each time: a suspended process notices before it acts.
 *
 * It does not close the election, the registry or their lease.
 */
export function createElectedLeadership(options: ElectionContext): ElectedLeadership {
  const { election, registry, storage } = options;
  const leadership = createLeadership(options.clock);
  const contact = createContact(options);
  const peers = createPeers(options);
  const candidacy = createCandidacy(options, peers);
  const closing = new AbortController();
  const leaderTerm = createLeaderTerm(options, leadership, closing.signal);
  /** Whether this server must not be one of them. */
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
    // On failure the next check tries again.
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
      // The announced leadership has lapsed, and listeners have not been notified yet.
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

/** The office of a leader, which this server enters in each term that it is elected for. */
interface LeaderTerm {
  /** Begins to lead as soon as it may. Does nothing if it has begun. */
  enter(leader: ElectedLeader): void;
  leave(): void;
}

function createLeaderTerm(
  { failed, monotonic, self, storage }: ElectionContext,
  leadership: AnnouncedLeadership,
  closing: AbortSignal,
): LeaderTerm {
  /** The term in which this server has begun to lead, or is about to. */
  let started: number | null = null;

  /** All that was committed in earlier terms is applied here, and in its place in the store, before anything new is. */
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
    enter({ term }) {
      if (started === term) return;
      started = term;
      leadership.announce(nobody);
      void begin(term);
    },
    leave() {
      started = null;
    },
  };
}
