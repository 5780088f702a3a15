import type { AgentServer, AgentStats } from '../api/kernel/agent-context.js';
import type { Machine } from '@tamis/scheduler-model/host/machine.js';
import { knownRegions } from '../services/membership/known-regions.js';
import type { State } from '@tamis/scheduler-state/state/state.js';

/** Sources of a server's statistics. */
export interface ServerStats extends Pick<AgentServer, 'leader' | 'membership' | 'peerClocks'> {
  readonly state: State;
  /** Returns addresses of all servers of the region. */
  readonly servers: () => readonly string[];
  readonly bootstrapExpect: number;
  readonly regions: readonly string[];
  /** Returns the number of connected nodes. */
  readonly connectedNodes: () => number;
}

/** Sources of a client's statistics. */
export interface ClientStats {
  readonly nodeId: string;
  readonly knownServers: readonly string[];
  readonly allocations: number;
  /** Time since the last acknowledged heartbeat and until the next one, in ms; null before the first. */
  readonly heartbeat: { readonly since: number; readonly ttl: number } | null;
}

const nanosecondsPerMillisecond = 1_000_000;

/** Returns the statistics of an agent in groups. Missing roles have no group. */
export async function collectStats(
  machine: Machine,
  requestsInFlight: number,
  server: ServerStats | null,
  client: ClientStats | null,
): Promise<AgentStats> {
  return {
    runtime: runtimeStats(machine, requestsInFlight),
    ...(server === null
      ? {}
      : {
          scheduler: await serverStats(server),
          raft: consensusStats(server),
          serf: await server.membership.stats(),
        }),
    ...(client === null ? {} : { client: clientStats(client) }),
  };
}

/** Returns statistics of the runtime. Requests in progress replace the number of goroutines. */
function runtimeStats(machine: Machine, requestsInFlight: number): AgentStats[string] {
  return {
    arch: machine.architecture,
    cpu_count: String(machine.cpuCount),
    goroutines: String(requestsInFlight),
    'kernel.name': machine.kernelName,
    max_procs: String(machine.cpuCount),
    version: machine.runtimeVersion,
  };
}

async function serverStats({ leader, ...server }: ServerStats): Promise<Record<string, string>> {
  const regions = await knownRegions(server.regions, server.membership);
  const current = leader.current();
  return {
    // Time by which the other servers' clocks are ahead of this one's, in ms.
    clocks: server
      .peerClocks()
      .map(({ name, ahead }) => `${name}=${Math.round(ahead)}`)
      .join(),
    bootstrap: String(server.bootstrapExpect <= 1),
    connected_nodes: String(server.connectedNodes()),
    known_regions: String(regions.length),
    leader: String(current.location === 'here'),
    leader_addr: current.location === 'nobody' ? '' : current.server.address,
    server: 'true',
  };
}

/** The log is the state: everything written is committed and applied at once. */
function consensusStats({ leader, servers, state }: ServerStats): AgentStats[string] {
  const index = String(state.snapshot().index);
  const { location } = leader.current();
  const { lastContact } = leader.contact();
  return {
    applied_index: index,
    commit_index: index,
    last_contact: location === 'nobody' ? 'never' : String(lastContact),
    last_log_index: index,
    num_peers: String(servers().length - 1),
    state: location === 'here' ? 'Leader' : 'Follower',
  };
}

function clientStats({ nodeId, knownServers, allocations, heartbeat }: ClientStats): AgentStats[string] {
  return {
    heartbeat_ttl: String(Math.round((heartbeat?.ttl ?? 0) * nanosecondsPerMillisecond)),
    known_servers: knownServers.join(','),
    last_heartbeat:
      heartbeat === null ? 'never' : String(Math.round(heartbeat.since * nanosecondsPerMillisecond)),
    node_id: nodeId,
    num_allocations: String(allocations),
  };
}
