import { setTimeout as pause } from 'node:timers/promises';
import { startCluster, type Cluster, type ClusterOptions } from '../../../etcd/test/support/etcd-cluster.js';
import { send } from './client.js';
import { importedNodes } from './nodes.js';
import { claimPort } from '../../../etcd/test/support/ports.js';
import { createServerNetwork, type ServerNetwork } from '../../../etcd/test/support/server-network.js';
import { createServerProcess, type ServerProcess } from './server-process.js';

/** The options of a region. */
export interface RegionNeeds {
  /** Number of servers; default: 3. */
  readonly servers?: number;
  /** Number of members of etcd; default: 1. */
  readonly members?: number;
  /** Seconds; default: 3. */
  readonly leaseTtl?: number;
  /** Further flags of each server. */
  readonly flags?: readonly string[];
  readonly etcd?: Pick<ClusterOptions, 'quota' | 'flags'>;
  /** The servers are there, and are not started yet. */
  readonly isCold?: boolean;
  /** Number of nodes in the initial state, each with capacity for many allocations. */
  readonly nodes?: number;
  /** The ways of the servers to etcd and to each other can be interrupted. */
  readonly isProxied?: boolean;
}

/** Several servers on one etcd, as real processes on loopback. */
export interface Region {
  readonly etcd: Cluster;
  readonly servers: readonly ServerProcess[];
  /** Null unless its ways can be interrupted. */
  readonly network: ServerNetwork | null;
  readonly leaseTtl: number;
  /** The servers that run, and are not frozen. */
  live(): readonly ServerProcess[];
  /** The server that leads, as soon as there is one that all live servers name. */
  leader(): Promise<ServerProcess>;
  /** Live servers that do not lead. */
  followers(): Promise<readonly ServerProcess[]>;
  /** Kills everything, whatever state it is in. */
  close(): Promise<void>;
}

/** Milliseconds in which an election has to be over. */
const electionTimeoutMs = 30_000;
const lookInterval = 20;

export interface RegionSettings {
  /** The built agent. */
  readonly main: string;
  /** For files of the region. */
  readonly folder: string;
}

export async function startRegion({ main, folder }: RegionSettings, needs: RegionNeeds): Promise<Region> {
  const { leaseTtl = 3, members = 1, servers: count = 3 } = needs;
  const etcd = await startCluster({ members, ...needs.etcd });
  const ports = await Promise.all(
    Array.from({ length: count }, async () => ({ http: await claimPort(), rpc: await claimPort() })),
  );
  const rpcPorts = ports.map(({ rpc }) => rpc);
  const network = needs.isProxied === true ? await createServerNetwork(etcd.urls, rpcPorts) : null;
  const filled = needs.nodes === undefined ? [] : importedNodes(folder, needs.nodes);
  const servers = ports.map((own, at) => {
    const place = network?.placeOf(at) ?? { etcd: etcd.urls };
    const flags = serverFlags(place.etcd, leaseTtl, [...filled, ...(needs.flags ?? [])]);
    return createServerProcess({ ...{ main, name: `s${at + 1}`, ports: own }, ...place, flags });
  });
  const region: Region = {
    ...{ etcd, servers, network, leaseTtl },
    live: () => servers.filter(({ isServing }) => isServing),
    leader: () => findLeader(region.live()),
    async followers() {
      const leader = await region.leader();
      return region.live().filter((server) => server !== leader);
    },
    async close() {
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all([etcd.stop(), network?.close()]);
    },
  };
  try {
    if (needs.isCold !== true) {
      await Promise.all(servers.map((server) => server.start()));
      await region.leader();
    }
  } catch (error) {
    await region.close();
    const errors = servers.map((server) => server.errors()).join('');
    throw new Error(`the region did not start: ${String(error)} ${errors}`, { cause: error });
  }
  return region;
}

function serverFlags(etcd: readonly string[], leaseTtl: number, more: readonly string[]): readonly string[] {
  const endpoints = etcd.flatMap((url) => ['--etcd-endpoint', url]);
  const own = ['--num-schedulers', '1', '--max-connections-per-client', '0', ...more];
  return [...endpoints, '--etcd-lease-ttl', `${leaseTtl}s`, ...own];
}

async function findLeader(live: readonly ServerProcess[]): Promise<ServerProcess> {
  const started = performance.now();
  for (;;) {
    const named = await Promise.all(live.map(namedLeader));
    const [first = ''] = named;
    const leading = live.find(({ rpcPort }) => first.endsWith(`:${rpcPort}`));
    if (leading !== undefined && named.every((name) => name === first)) return leading;
    if (performance.now() - started > electionTimeoutMs) {
      const texts = live.map(({ name }, at) => `${name} names "${named[at]}"`);
      throw new Error(`no leader that all servers name: ${texts.join(', ')}`);
    }
    await pause(lookInterval);
  }
}

async function namedLeader(server: ServerProcess): Promise<string> {
  const { text } = await send(server, '/v1/status/leader', { timeoutMs: 6_000 }).catch(() => ({ text: '' }));
  return text.replaceAll('"', '').trim();
}
