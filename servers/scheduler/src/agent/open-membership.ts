import type { AgentConfig, RosterEntry } from '../agent-config.js';
import type { Clock } from '../clock.js';
import { parseAddress, type Address } from '../host/address.js';
import type { Machine } from '../host/machine.js';
import type { AgentName } from '../http/agent-context.js';
import type { LogHub } from '../logs/log-hub.js';
import { createLocalMembership } from '../membership/local.js';
import { gossipVersions, type Member } from '../membership/member.js';
import { defaultGossipPort, type Membership } from '../membership/membership.js';
import { createSerfMembership } from '../membership/serf.js';
import { advertisedHost } from './advertised-address.js';
import { version } from './version.js';

export interface MembershipDependencies {
  readonly clock: Clock;
  readonly random: () => number;
  readonly logs: LogHub;
  readonly uuid: () => string;
  readonly machine: Machine;
  /** Where others find the RPC of this server. */
  readonly rpc: () => Address;
}

/** What the members of servers say about themselves. */
const role = 'scheduler';

/** The membership that the configuration asks for. @throws AddressError for a roster that cannot be read. */
export function openMembership(
  config: AgentConfig,
  name: AgentName,
  dependencies: MembershipDependencies,
): Membership {
  const { clock, machine, rpc, uuid } = dependencies;
  let id = '';
  const tags = (): Member['Tags'] => {
    // Made when it is first asked for, and then this server's for as long as it runs.
    id ||= uuid();
    return serverTags(config, name, id, rpc());
  };
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
  return createLocalMembership({
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

/** What the roster does not say of a member is taken from its name, `<node>.<region>`, and from this agent. */
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
