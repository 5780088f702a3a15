import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startCluster, type Cluster } from '../../../etcd/test/support/etcd-cluster.js';
import { initialize } from '../initialize.js';
import { createClient } from '../client.js';
import { startServerProcess, type ServerProcess } from '../server-process.js';

/** A server in a process of its own, at the same addresses after each start. */
export interface ClusterServer {
  readonly address: string;
  /** Starts it, unsealed, and waits until it answers. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** SIGTERM, and its end. */
  stop(): Promise<void>;
  freeze(): void;
  thaw(): void;
  output(): string;
}

/** Servers on members of etcd, initialized. */
export interface Region {
  readonly etcd: Cluster;
  readonly servers: readonly ClusterServer[];
  readonly rootToken: string;
  /** Waits for the active server. */
  active(): Promise<ClusterServer>;
  /** Waits until one server is active and all others stand by. */
  whole(): Promise<ClusterServer>;
  close(): Promise<void>;
}

/** Milliseconds between two looks. */
const lookInterval = 20;

export interface RegionOptions {
  readonly main: string;
  readonly members: number;
  readonly servers: number;
  readonly leaseTtl: number;
}

export async function startRegion(options: RegionOptions): Promise<Region> {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-cluster-'));
  const etcd = await startCluster({ members: options.members });
  const ports = await freePorts(2 * options.servers);
  const servers = Array.from({ length: options.servers }, (_, at) =>
    createClusterServer(options, folder, etcd, [ports[2 * at] ?? 0, ports[2 * at + 1] ?? 0]),
  );
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.kill()));
    await etcd.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const keyFile = join(folder, 'unseal.key');
    writeFileSync(keyFile, '', { mode: 0o600 });
    const rootToken = await begin(servers, keyFile);
    const active = async (): Promise<ClusterServer> => {
      for (;;) {
        const states = await Promise.all(servers.map(healthOf));
        const found = servers[states.indexOf(200)];
        if (found !== undefined) return found;
        await pause(lookInterval);
      }
    };
    const whole = async (): Promise<ClusterServer> => {
      for (;;) {
        const states = await Promise.all(servers.map(healthOf));
        const found = servers[states.indexOf(200)];
        const standing = states.filter((status) => status === 429).length;
        if (found !== undefined && standing === servers.length - 1) return found;
        await pause(lookInterval);
      }
    };
    await whole();
    return { etcd, servers, rootToken, active, whole, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The first server makes the store; then all are started with its key. */
async function begin(servers: readonly ClusterServer[], keyFile: string): Promise<string> {
  const [first] = servers;
  if (first === undefined) throw new Error('a region has a server');
  await first.start();
  const client = createClient(first.address, 1);
  const { unsealKey, rootToken } = await initialize(client);
  client.close();
  writeFileSync(keyFile, unsealKey);
  await first.kill();
  await Promise.all(servers.map((server) => server.start()));
  return rootToken;
}

/** The status of a server's health; 0 for no answer in time. */
export async function healthOf({ address }: Pick<ClusterServer, 'address'>): Promise<number> {
  try {
    const answer = await fetch(`${address}/v1/sys/health`, { signal: AbortSignal.timeout(500) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

function createClusterServer(
  { main, leaseTtl }: RegionOptions,
  folder: string,
  { urls }: Cluster,
  [port, peerPort]: readonly [number, number],
): ClusterServer {
  const address = `http://127.0.0.1:${port}`;
  const file = join(folder, `${port}.hcl`);
  writeFileSync(
    file,
    `storage "etcd" {
  endpoints    = ${JSON.stringify(urls)}
  peer_address = "127.0.0.1:${peerPort}"
  api_address  = "${address}"
  lease_ttl    = ${leaseTtl}
}
listener "tcp" { address = "127.0.0.1:${port}"  tls_disable = true  max_connections_per_client = 0 }
audit "file" { path = ${JSON.stringify(join(folder, `${port}.log`))} }
auth "cloud" { path = "cloud"  max_tokens_per_identity = 0 }
`,
  );
  const keyFile = join(folder, 'unseal.key');
  let process: ServerProcess | null = null;
  return {
    address,
    async start() {
      process = startServerProcess(main, ['--config', file], { SECRETS_UNSEAL_KEY_FILE: keyFile });
      if ((await process.listening) === null) throw new Error(`no server: ${process.output()}`);
    },
    async kill() {
      await process?.kill();
    },
    async stop() {
      process?.signal('SIGTERM');
      await process?.ended;
    },
    freeze: () => void signal(process, 'SIGSTOP'),
    thaw: () => void signal(process, 'SIGCONT'),
    output: () => process?.output() ?? '',
  };
}

function signal(server: ServerProcess | null, name: 'SIGSTOP' | 'SIGCONT'): void {
  if (server !== null) process.kill(server.pid, name);
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
