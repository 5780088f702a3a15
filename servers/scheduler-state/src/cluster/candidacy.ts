import type { Registry } from '@tamis/etcd';
import { mayDialPeer } from '@tamis/http';
import type { ElectionContext } from './election-context.js';
import type { Server } from './leadership.js';
import { readRegistration, registrationOf, type RegisteredServer } from './server-list.js';
import { disagreement, type DisagreementError } from './shared-settings.js';

/** The registered servers, which can be called. */
export interface RegisteredPeers {
  readonly all: () => readonly RegisteredServer[];
  isSelf(server: Server): boolean;
  /** Whether it is another server, to which requests may be sent. */
  isOther(server: Server): boolean;
}

export function createPeers({ hasMutualTls, registry, self }: ElectionContext): RegisteredPeers {
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

/** The candidacy of this server: when it runs for election, and whether it may. */
export interface Candidacy {
  stand(server: RegisteredServer): void;
  /** Withdraws the candidacy and resigns. */
  readonly withdraw: () => Promise<void>;
  /** Runs pending steps: becomes a candidate when enough other servers are present, and removes its own leftovers. */
  readonly tend: () => void;
  /** Why this server must not be one of them; null if it may. */
  disagreement(): DisagreementError | null;
}

export function createCandidacy(
  { bootstrapExpect, election, registry, self, storage: { log } }: ElectionContext,
  peers: RegisteredPeers,
): Candidacy {
  /** Whether it waits for others before running for election. */
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
    // On failure the next check tries again, and the lease expires by itself.
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
