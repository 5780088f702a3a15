import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster, type Cluster, type ClusterOptions } from '../../../etcd/test/support/etcd-cluster.js';
import { claimPort } from '../../../etcd/test/support/ports.js';
import { createServerNetwork, type ServerNetwork } from '../../../etcd/test/support/server-network.js';
import type { FakeCloud } from '../../test/support/fake-cloud.js';
import { createClient } from '../client.js';
import { initialize, type StoreKeys } from '../initialize.js';
import { createClusterServer, type ClusterServer } from './cluster-server.js';

/** The options of a region. */
export interface RegionNeeds {
  /** Number of servers; default: 3. */
  readonly servers?: number;
  /** Number of members of etcd; default: 1. */
  readonly members?: number;
  /** Seconds; default: 3. */
  readonly leaseTtl?: number;
  readonly etcd?: Pick<ClusterOptions, 'quota' | 'flags'>;
  /** The servers are there, and are neither started nor initialized. */
  readonly isCold?: boolean;
  /** The ways of the servers to etcd and to each other can be interrupted. */
  readonly isProxied?: boolean;
  /** Used by the servers instead of an unreachable cloud. */
  readonly cloud?: FakeCloud;
  /** Standby servers handle self-lookups of batch tokens themselves. */
  readonly performanceStandby?: boolean;
  /** How servers reach each other, unless in plain HTTP on loopback. */
  readonly peers?: PeerPlace;
  /** Additional environment variables of a server. */
  readonly env?: (server: number) => Readonly<Record<string, string>>;
}

/** An address that is not loopback, and PEM files with a certificate for it. */
export interface PeerPlace {
  readonly host: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** Servers on members of etcd. */
export interface Region extends StoreKeys {
  readonly etcd: Cluster;
  readonly servers: readonly ClusterServer[];
  /** Null unless its ways can be interrupted. */
  readonly network: ServerNetwork | null;
  /** Seconds. */
  readonly leaseTtl: number;
  /** Of the files of this region: the unseal key is in `unseal.key`. */
  readonly folder: string;
  /** Waits for the active server. */
  active(): Promise<ClusterServer>;
  /** Waits until one server is active and all others are on standby. */
  whole(): Promise<ClusterServer>;
  /** As `whole`, with the standby servers. */
  parts(): Promise<{ readonly active: ClusterServer; readonly standby: readonly ClusterServer[] }>;
  close(): Promise<void>;
}

/** Polling interval, and timeout for the awaited state of the servers, in ms. */
const lookInterval = 20;
const timeoutMs = 60_000;

export async function startRegion(main: string, needs: RegionNeeds): Promise<Region> {
  const { leaseTtl = 3, members = 1, servers: count = 3 } = needs;
  const folder = mkdtempSync(join(tmpdir(), 'secrets-cluster-'));
  const etcd = await startCluster({ members, ...needs.etcd });
  const ports = await Promise.all(
    Array.from({ length: count }, async () => ({ http: await claimPort(), peer: await claimPort() })),
  );
  const peerPorts = ports.map(({ peer }) => peer);
  const network = needs.isProxied === true ? await createServerNetwork(etcd.urls, peerPorts) : null;
  const keyFile = join(folder, 'unseal.key');
  const servers = ports.map((own, at) => {
    const home = join(folder, `s${at + 1}`);
    mkdirSync(home);
    const place = network?.placeOf(at) ?? { etcd: etcd.urls, nodeFlags: [], env: {} };
    const env = {
      ...place.env,
      ...(place.nodeFlags.length > 0 && { NODE_OPTIONS: place.nodeFlags.join(' ') }),
      ...needs.env?.(at),
    };
    return createClusterServer({
      ...needs,
      leaseTtl,
      main,
      home,
      keyFile,
      env,
      etcd: place.etcd,
      ports: own,
    });
  });
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.kill()));
    await Promise.all([etcd.stop(), network?.close()]);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    writeFileSync(keyFile, '', { mode: 0o600 });
    const keys = needs.isCold === true ? { unsealKey: '', rootToken: '' } : await begin(servers, keyFile);
    const looks = watchOf(servers);
    if (needs.isCold !== true) await looks.whole();
    return { ...{ etcd, servers, network, leaseTtl, folder }, ...keys, ...looks, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function watchOf(servers: readonly ClusterServer[]): Pick<Region, 'active' | 'whole' | 'parts'> {
  async function found(isIt: (states: readonly number[]) => boolean): Promise<ClusterServer> {
    const started = performance.now();
    for (;;) {
      const states = await Promise.all(servers.map(healthOf));
      const active = servers[states.indexOf(200)];
      if (active !== undefined && isIt(states)) return active;
      if (performance.now() - started > timeoutMs) {
        const outputs = servers.map((server) => server.output().slice(-2_000)).join('\n');
        throw new Error(`the servers' states are ${states.join(', ')}:\n${outputs}`);
      }
      await pause(lookInterval);
    }
  }
  const whole = (): Promise<ClusterServer> =>
    found(
      (states) => states.filter((status) => status === 429 || status === 473).length === servers.length - 1,
    );
  return {
    whole,
    active: () => found(() => true),
    async parts() {
      const active = await whole();
      return { active, standby: servers.filter((server) => server !== active) };
    },
  };
}

/** The first server makes the store, and all are unsealed: now, and at each start by the key in the file. */
async function begin(servers: readonly ClusterServer[], keyFile: string): Promise<StoreKeys> {
  await Promise.all(servers.map((server) => server.start()));
  const clients = servers.map(({ address }) => createClient(address, 1));
  const [first] = clients;
  if (first === undefined) throw new Error('a region has a server');
  const keys = await initialize(first);
  writeFileSync(keyFile, keys.unsealKey);
  await Promise.all(clients.map((client) => client.send('PUT', 'sys/unseal', { key: keys.unsealKey })));
  for (const client of clients) client.close();
  return keys;
}

/** The status of a server's health; 0 without a response in time. */
export async function healthOf({ address }: Pick<ClusterServer, 'address'>): Promise<number> {
  try {
    const response = await fetch(`${address}/v1/sys/health`, { signal: AbortSignal.timeout(500) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
