import { fileURLToPath } from 'node:url';
import { startNetworkProxy, type NetworkProxy } from './network-proxy.js';

/** The ways of servers to etcd and to each other, each of which can be interrupted. */
export interface ServerNetwork {
  /** The ways of a server to the members of etcd. */
  toEtcd(server: number): readonly NetworkProxy[];
  /** The ways of a server to its peers, and theirs to it. */
  toPeers(server: number): readonly NetworkProxy[];
  /** What a server is started with so that it takes these ways. */
  placeOf(server: number): ServerPlace;
  close(): Promise<void>;
}

/** A server's place in the network: the URLs that it finds etcd at, and how node is started so that peers are found. */
export interface ServerPlace {
  readonly etcd: readonly string[];
  readonly nodeFlags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const redirection = fileURLToPath(new URL('redirect-ports.mjs', import.meta.url));

interface Way {
  readonly from: number;
  readonly to: number;
  readonly port: number;
  readonly proxy: NetworkProxy;
}

/** @param peerPorts where the servers listen for each other. */
export async function createServerNetwork(
  etcd: readonly string[],
  peerPorts: readonly number[],
): Promise<ServerNetwork> {
  const etcdPorts = etcd.map((url) => Number(new URL(url).port));
  const toEtcd = await Promise.all(peerPorts.map(() => Promise.all(etcdPorts.map(startNetworkProxy))));
  const pairs = peerPorts.flatMap((port, to) =>
    peerPorts.flatMap((_, from) => (from === to ? [] : [{ from, to, port }])),
  );
  const ways = await Promise.all(
    pairs.map(async (pair): Promise<Way> => ({ ...pair, proxy: await startNetworkProxy(pair.port) })),
  );
  return {
    toEtcd: (server) => toEtcd[server] ?? [],
    toPeers: (server) =>
      ways.filter(({ from, to }) => from === server || to === server).map(({ proxy }) => proxy),
    placeOf(server) {
      const own = ways.filter(({ from }) => from === server);
      const redirected = own.map(({ port, proxy }) => `${port}:${proxy.port}`).join(',');
      return {
        etcd: (toEtcd[server] ?? []).map(({ port }) => `http://127.0.0.1:${port}`),
        nodeFlags: ['--import', redirection],
        env: { STRESS_REDIRECTED_PORTS: redirected },
      };
    },
    async close() {
      await Promise.all([...toEtcd.flat(), ...ways.map(({ proxy }) => proxy)].map((proxy) => proxy.close()));
    },
  };
}
