import type { AgentConfig, RosterEntry } from './settings/agent-config.js';
import type { ServerList } from '@tamis/scheduler-state/cluster/server-list.js';
import { parseAddress, type Address } from '@tamis/scheduler-model/host/address.js';
import type { AgentName } from '../api/kernel/agent-context.js';
import { createLocalMembership } from '../services/membership/local.js';
import { gossipVersions, type Member } from '@tamis/scheduler-model/wire/member.js';
import { defaultGossipPort, type Membership } from '../services/membership/membership.js';
import { createRegisteredMembership } from '../services/membership/registered.js';
import { createSerfMembership } from '../services/membership/serf.js';
import { advertisedHost, type AdvertisedAddresses } from './advertised-address.js';
import type { AgentDependencies } from './agent-dependencies.js';
import { nameOf } from './agent-name.js';
import { version } from './version.js';

export interface MembershipDependencies extends Pick<
  AgentDependencies,
  'clock' | 'random' | 'logs' | 'uuid' | 'machine'
> {
  /** The servers that have registered. */
  readonly servers: ServerList;
  /** Returns the tags of this server. */
  readonly tags: () => Member['Tags'];
}

/** Value of the role tag of server members. */
const role = 'scheduler';

/** Creates the configured membership. @throws AddressError if the roster cannot be parsed. */
export function openMembership(config: AgentConfig, dependencies: MembershipDependencies): Membership {
  const { clock, machine, servers, tags, uuid } = dependencies;
  const name = nameOf(config);
  const { membership } = config;
  if (membership.kind === 'serf') {
    const { authKey, rpcAddress } = membership;
    const logger = dependencies.logs.part('serf');
    return createSerfMembership({
      ...{ authKey, clock, rpcAddress, tags },
      random: dependencies.random,
      onNotice: (notice, error) =>
        error === null ? logger.info(notice) : logger.warn({ err: error }, notice),
    });
  }
  const local = createLocalMembership({
    bind: config.bind,
    port: config.serfPort,
    describe: (port) => ({
      Name: name.member,
      Addr: advertisedHost(config.bind, machine),
      Port: port,
      Tags: tags(),
      Status: 'alive',
      ...gossipVersions,
    }),
    roster: membership.roster.map((entry) => rosterMember(entry, name)),
    uuid,
    clock,
  });
  return createRegisteredMembership(local, servers);
}

/** Returns a function that creates the tags of this server. */
export function createServerTags(
  config: AgentConfig,
  { addresses, uuid }: { readonly addresses: AdvertisedAddresses; readonly uuid: () => string },
): () => Member['Tags'] {
  let id = '';
  return () => {
    // Created on first use and kept while this server runs.
    id ||= uuid();
    return serverTags(config, nameOf(config), id, addresses.of('rpc'));
  };
}

function serverTags(
  { bootstrapExpect }: AgentConfig,
  { datacenter, region }: AgentName,
  id: string,
  rpc: Address,
): Member['Tags'] {
  return {
    role,
    region,
    dc: datacenter,
    build: version.number,
    revision: version.revision,
    vsn: '1',
    raft_vsn: '3',
    id,
    rpc_addr: rpc.host,
    port: String(rpc.port),
    expect: String(bootstrapExpect),
    ...(bootstrapExpect === 1 ? { bootstrap: '1' } : {}),
  };
}

/** Returns a member of the roster. Missing tags are taken from its name, `<node>.<region>`, and from this agent. */
function rosterMember({ address, name, status, tags }: RosterEntry, own: AgentName): Member {
  const { host, port } = parseAddress(address, defaultGossipPort);
  const region = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : own.region;
  return {
    Name: name,
    Addr: host,
    Port: port,
    Tags: { role, region, dc: own.datacenter, ...Object.fromEntries(tags) },
    Status: status,
    ...gossipVersions,
  };
}

/** The other servers of this region, which share the work. */
export type Peers = ReturnType<typeof followPeers>;

export function followPeers(membership: Membership) {
  let present = false;

  async function look(changed: () => void): Promise<void> {
    const own = membership.self();
    const found = (await membership.members()).some((member) => isPeer(member, own));
    if (found === present) return;
    present = found;
    changed();
  }

  return {
    /** Whether at least one is alive, as far as known since the start. */
    get present(): boolean {
      return present;
    },
    /** Starts checking, immediately and after each event. @param changed called when the result has changed. */
    start(changed: () => void): void {
      // The members may be unknown for a moment; the next event updates them.
      const retry = (): void => void look(changed).catch(() => undefined);
      membership.subscribe(retry);
      retry();
    },
  };
}

function isPeer(member: Member, own: Member): boolean {
  const isServer = member.Tags['role'] === own.Tags['role'] && member.Tags['region'] === own.Tags['region'];
  return member.Name !== own.Name && member.Status === 'alive' && isServer;
}
