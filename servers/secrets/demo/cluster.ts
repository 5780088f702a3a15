/**
 * A demo of three servers that share an etcd: `npm run demo:cluster -w servers/secrets`. It prints commands to try, and stops
 * everything at Ctrl-C. `--port N` changes the ports.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster, type Cluster } from '../../etcd/test/support/etcd-cluster.js';
import { etcdMissing } from '../../etcd/test/support/etcd-process.js';
import { buildServer } from '../stress/build-server.js';
import { createClient } from '../stress/client.js';
import { initialize } from '../stress/initialize.js';
import { startServerProcess, type ServerProcess } from '../stress/server-process.js';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8200' } } });

interface DemoServer {
  readonly address: string;
  readonly process: ServerProcess;
}

async function startServer(
  main: string,
  folder: string,
  port: number,
  { urls }: Cluster,
): Promise<DemoServer> {
  const file = join(folder, `${port}.hcl`);
  writeFileSync(
    file,
    `storage "etcd" {
  endpoints    = ${JSON.stringify(urls)}
  peer_address = "127.0.0.1:${port + 1}"
  api_address  = "http://127.0.0.1:${port}"
}
listener "tcp" { address = "127.0.0.1:${port}"  tls_disable = true }
log_level = "error"
`,
  );
  const server = startServerProcess(main, ['--config', file]);
  const [address] = (await server.listening) ?? [];
  if (address === undefined) throw new Error(server.output());
  return { address, process: server };
}

function describeDemo(servers: readonly DemoServer[], rootToken: string): string {
  const [first, second, third] = servers.map(({ address }) => address);
  const addresses = servers.map(({ address }) => address).join(' ');
  return `${servers.map(({ address, process: { pid } }) => `${address}   process ${pid}`).join('\n')}

Try, in another terminal:

export TOKEN=${rootToken}
# who is active, and who stands by
for s in ${addresses}; do curl -s $s/v1/sys/health; done

# a write at one server, and a read of it at another
curl -s -X PUT -H "X-Secrets-Token: $TOKEN" ${second}/v1/sys/policies/acl/demo -d '{"policy":""}'
curl -s -H "X-Secrets-Token: $TOKEN" ${third}/v1/sys/policies/acl/demo

# another server becomes the active one
curl -s -X PUT -H "X-Secrets-Token: $TOKEN" ${first}/v1/sys/step-down
curl -s ${first}/v1/sys/leader

# or the active one dies (its process is above); the others respond at once
kill -9 PROCESS
for s in ${addresses}; do curl -s -H "X-Secrets-Token: $TOKEN" $s/v1/sys/policies/acl/demo; done

Ctrl-C stops all of it.
`;
}

async function demonstrate(): Promise<void> {
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_000) throw new Error('--port: expected 1 to 65000');
  if (etcdMissing !== undefined) throw new Error(`${etcdMissing}: apt-get install etcd-server etcd-client`);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  const built = await buildServer();
  const folder = mkdtempSync(join(tmpdir(), 'secrets-demo-'));
  const servers: DemoServer[] = [];
  let cluster: Cluster | null = null;
  try {
    cluster = await startCluster();
    for (let at = 0; at < 3; at += 1)
      servers.push(await startServer(built.main, folder, port + 10 * at, cluster));
    const [first] = servers as [DemoServer];
    const client = createClient(first.address, 1);
    const { unsealKey, rootToken } = await initialize(client);
    client.close();
    for (const { address } of servers) {
      const each = createClient(address, 1);
      await each.send('PUT', 'sys/unseal', { key: unsealKey });
      each.close();
    }
    process.stdout.write(describeDemo(servers, rootToken));
    await stopped;
  } finally {
    await Promise.all(servers.map((server) => server.process.kill()));
    await cluster?.stop();
    rmSync(folder, { recursive: true });
    built.remove();
  }
}

demonstrate().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
