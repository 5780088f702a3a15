/**
 * Three servers on one member of etcd, as real processes: the leader is stopped and killed, and looked at is whether all
 * that was acknowledged is there, everywhere the same: `npm run proof:cluster -w servers/scheduler`. With `--json` the
 * figures come as JSON. Ends with code 1 where something is not as it should be.
 */
import { parseArgs } from 'node:util';
import { startCluster } from '../../etcd/test/support/etcd-cluster.js';
import { buildAgent } from './build-agent.js';
import { stressCluster, type ClusterServer } from './cluster-stress.js';
import { startKillableAgent } from './killable-agent.js';
import { printFigures } from './output.js';

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
const leaseTtl = 3;
const built = await buildAgent();
const cluster = await startCluster();

async function startServer(name: string): Promise<ClusterServer> {
  const endpoints = cluster.urls.flatMap((url) => ['--etcd-endpoint', url]);
  const etcd = [...endpoints, '--etcd-lease-ttl', `${leaseTtl}s`];
  const agent = startKillableAgent(built.main, ['--name', name, '--num-schedulers', '1', ...etcd]);
  const address = await agent.listening;
  if (address === null) throw new Error(`${name} did not start: ${agent.errors()}`);
  return { name, agent, address };
}

const servers = await Promise.all(['s1', 's2', 's3'].map(startServer));
try {
  const { figures, mistakes } = await stressCluster(servers, leaseTtl);
  process.stdout.write(values.json ? `${JSON.stringify({ figures, mistakes })}\n` : printFigures(figures));
  for (const mistake of mistakes) process.stderr.write(`Not so: ${mistake}\n`);
  process.exitCode = mistakes.length === 0 ? 0 : 1;
} finally {
  await Promise.all(servers.map(({ agent }) => agent.kill()));
  await cluster.stop();
  built.remove();
}
