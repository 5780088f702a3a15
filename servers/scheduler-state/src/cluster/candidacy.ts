import type { Registry } from '@tamis/etcd';
import { mayDialPeer } from '@tamis/http';
import type { ElectionContext } from './election-context.js';
import type { Server } from './leadership.js';
import { readRegistration, registrationOf, type RegisteredServer } from './server-list.js';
import { disagreement, type DisagreementError } from './shared-settings.js';

/** The other registered servers to which requests can be sent. */
export type RegisteredPeers = ReturnType<typeof createPeers>;

export function createPeers({ hasMutualTls, registry, self }: ElectionContext) {
  const mayDial = ({ address }: Server): boolean => mayDialPeer(address, hasMutualTls);
  const isSelf = ({ name, address }: Server): boolean => name === self.name && address === self.address;
  return {
    all: (): readonly RegisteredServer[] => known(registry.registrations()).filter(mayDial),
    isSelf,
    /** Whether a server is not this one and can receive requests. */
    isOther: (server: Server): boolean => !isSelf(server) && mayDial(server),
  };
}

function known(registrations: ReturnType<Registry['registrations']>): readonly RegisteredServer[] {
  return registrations.map(readRegistration).filter((server) => server !== null);
}

/** Decides when this server runs for election and whether it may. */
export function createCandidacy(
  { bootstrapExpect, election, registry, self, storage: { log } }: ElectionContext,
  peers: RegisteredPeers,
) {
  /** Whether this server waits for others before it runs for election. */
  let isWaiting = false;
  let isRemoving = false;
  /** The registration of this server. Once registered, it can be reached by other servers. */
  let registered: RegisteredServer | null = null;

  /**
   * Runs for election once enough servers are present. If the log is not empty, there was a leader before, so one server is
   * enough.
   */
  function standWithOthers(): void {
    if (!isWaiting || (log.head() === undefined && peers.all().length < bootstrapExpect)) return;
    isWaiting = false;
    election.campaign(self);
  }

  /**
   * Removes a leader's key that this server left under an expired lease or in an earlier run. The key belongs to this server,
   * because it names the address at which this server listens now.
   */
  async function removeOwnLeftover(): Promise<void> {
    const leader = election.current();
    if (registered === null || isRemoving || leader?.isOwn !== false || !peers.isSelf(leader)) return;
    isRemoving = true;
    // If this fails, the next check retries. The lease also expires by itself.
    await election.removeLeader(leader.term).catch(() => undefined);
    isRemoving = false;
  }

  /** Takes the next steps: becomes a candidate once enough other servers are present, and removes its own leftovers. */
  function tend(): void {
    standWithOthers();
    void removeOwnLeftover();
  }

  return {
    tend,
    stand(server: RegisteredServer): void {
      registered = server;
      registry.register(registrationOf(server));
      isWaiting = true;
      tend();
    },
    /** Withdraws the candidacy and resigns. */
    withdraw: async (): Promise<void> => {
      isWaiting = false;
      await election.resign();
    },
    /** Returns why this server must not join the others; null if it may. */
    disagreement(): DisagreementError | null {
      const settings = registered?.settings;
      if (settings === undefined) return null;
      const all = registry.registrations();
      const own = all.find(({ name }) => name === self.name);
      // Servers that start at the same time see each other only now. The one that registered later leaves.
      return disagreement(settings, known(all.filter(({ since }) => own !== undefined && since < own.since)));
    },
  };
}
