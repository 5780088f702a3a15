/**
 * A demo of three servers that share an etcd: `npm run demo:cluster -w servers/scheduler`. It prints commands to try, and stops
 * everything at Ctrl-C. `--members 3` starts three members of etcd, `--port N` changes the ports.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { startCluster, type Cluster } from '../../etcd/test/support/etcd-cluster.js';
import { etcdMissing } from '../../etcd/test/support/etcd-process.js';
import { buildAgent } from '../stress/build-agent.js';

interface DemoServer {
  readonly name: string;
  readonly address: string;
  readonly child: ChildProcess;
}

/** Milliseconds that servers get to end by themselves. */
const grace = 10_000;

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '1' },
    port: { type: 'string', default: '4646' },
  },
});

/** @throws Error for a number that cannot be. */
function numberFrom(flag: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`--${flag}: expected a whole number from ${min} to ${max}, found "${text}"`);
}

/** Starts a server, and waits until it listens. @throws Error when it ends before */
async function startServer(
  main: string,
  at: number,
  port: number,
  urls: readonly string[],
): Promise<DemoServer> {
  const name = `s${at + 1}`;
  const ports = ['--port', port, '--rpc-port', port + 1, '--serf-port', port + 2].map(String);
  const etcd = urls.flatMap((url) => ['--etcd-endpoint', url]);
  const args = [main, 'agent', '--name', name, '--log-level', 'error', ...ports, ...etcd];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const listens = new Promise<void>((resolve) => {
    child.stdout.on('data', (text: Buffer) => {
      if (text.toString().includes('Listening on')) resolve();
    });
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${name} did not start`);
  });
  ended.catch(() => undefined);
  await Promise.race([listens, ended]);
  child.once('exit', (code, signal) => {
    process.stdout.write(`${name} has ended (${signal ?? String(code)})\n`);
  });
  return { name, address: `http://127.0.0.1:${port}`, child };
}

async function stopServer({ child }: DemoServer): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), grace);
  await ended;
  clearTimeout(late);
}

function describeDemo(main: string, cluster: Cluster, servers: readonly DemoServer[]): string {
  const [first, second, third] = servers.map(({ address }) => address);
  const etcd = cluster.urls.map((url) => `--etcd-endpoint ${url}`).join(' ');
  return `
${servers.map(({ name, address, child }) => `${name}   ${address}   process ${child.pid}`).join('\n')}
etcd ${cluster.urls.join(', ')}

Try, in another terminal:

# who is there, who leads, how far each has come
node ${main} operator servers ${etcd}

# a write at one server, and a read of it at another
curl -s -X PUT ${second}/v1/namespace -d '{"Name":"demo"}'
curl -s ${third}/v1/namespaces

# a query that waits for the next change, wherever that is made
curl -s '${third}/v1/namespaces?index=1000&wait=1m'

# the leader dies (its process is above); write again at once, at one of the others
kill -9 PROCESS
curl -s -X PUT ${second}/v1/namespace -d '{"Name":"after"}'

# a read of what a server holds itself, also without a leader
curl -si '${first}/v1/namespaces?stale' | grep -i -e knownleader -e lastcontact

Ctrl-C stops all of it.
`;
}

async function demonstrate(): Promise<void> {
  const members = numberFrom('members', values.members, 1, 3);
  const port = numberFrom('port', values.port, 1, 65_000);
  if (etcdMissing !== undefined) throw new Error(`${etcdMissing}: apt-get install etcd-server etcd-client`);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  const built = await buildAgent();
  const servers: DemoServer[] = [];
  let cluster: Cluster | undefined;
  try {
    cluster = await startCluster({ members });
    for (let at = 0; at < 3; at += 1)
      servers.push(await startServer(built.main, at, port + 10 * at, cluster.urls));
    process.stdout.write(describeDemo(built.main, cluster, servers));
    await stopped;
  } finally {
    await Promise.all(servers.map(stopServer));
    await cluster?.stop();
    built.remove();
  }
}

demonstrate().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
