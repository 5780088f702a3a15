import type { Registry } from '@tamis/etcd';
import { mayDialPeer } from '@tamis/http';
import type { ElectionContext } from './election-context.js';
import type { Server } from './leadership.js';
import { readRegistration, registrationOf, type RegisteredServer } from './server-list.js';
import { disagreement, type DisagreementError } from './shared-settings.js';

/** The registered servers that requests can be sent to. */
export interface RegisteredPeers {
  readonly all: () => readonly RegisteredServer[];
  isSelf(server: Server): boolean;
  /** Whether a server is not this one and can receive requests. */
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

/** Decides when this server runs for election and whether it may. */
export interface Candidacy {
  stand(server: RegisteredServer): void;
  /** Withdraws the candidacy and resigns. */
  readonly withdraw: () => Promise<void>;
  /** Runs pending steps: becomes a candidate once enough other servers are present, and removes its own leftovers. */
  readonly tend: () => void;
  /** Returns why this server must not join the others; null if it may. */
  disagreement(): DisagreementError | null;
}

export function createCandidacy(
  { bootstrapExpect, election, registry, self, storage: { log } }: ElectionContext,
  peers: RegisteredPeers,
): Candidacy {
  /** Whether this server waits for others before running for election. */
  let isWaiting = false;
  let isRemoving = false;
  /** This server's registration; other servers can reach it from then on. */
  let registered: RegisteredServer | null = null;

  /** A non-empty log already had a leader, so one server is enough to lead again. */
  function standWithOthers(): void {
    if (!isWaiting || (log.head() === undefined && peers.all().length < bootstrapExpect)) return;
    isWaiting = false;
    election.campaign(self);
  }

  /**
   * Removes a leader's key that this server left under an expired lease or in an earlier run. The key is its own, because this
   * server now listens at that address.
   */
  async function removeOwnLeftover(): Promise<void> {
    const leader = election.current();
    if (registered === null || isRemoving || leader?.isOwn !== false || !peers.isSelf(leader)) return;
    isRemoving = true;
    // On failure the next check retries, and the lease expires by itself.
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
      // Servers that start at the same time see each other only now: the later one leaves.
      return disagreement(settings, known(all.filter(({ since }) => own !== undefined && since < own.since)));
    },
  };
}
