import { createFakeCloud, type FakeCloud } from '../../test/support/fake-cloud.js';
import { principal } from '../../test/support/fake-resources.js';
import { createClient, type Client } from '../client.js';
import { quantile } from '../../../http/stress/proof.js';
import { configureCloud, startStressedServer } from '../stressed-server.js';
import type { ClusterCase, Stage } from './stage.js';

/** Milliseconds for which logins of one kind are counted. */
const rateTime = 3_000;

/** Logins of many clients at once, through all of some servers in turn. */
async function countLogins(
  stage: Stage,
  name: string,
  servers: readonly Client[],
  { cloud, rootToken }: { readonly cloud: FakeCloud; readonly rootToken: string },
): Promise<void> {
  const [first] = servers;
  if (first === undefined) return;
  const body = { role: 'dev', jwt: await cloud.token() };
  for (const type of ['service', 'batch']) {
    const role = { bound_service_principal_ids: [principal], token_policies: ['dev'], token_type: type };
    const { status } = await first.send('POST', 'auth/cloud/role/dev', role, rootToken);
    stage.check(status === 204, `${name}: the role returns ${status}`);
    const times: number[] = [];
    const since = performance.now();
    const work = async (at: number): Promise<void> => {
      for (let n = at; performance.now() - since < rateTime; n += 1) {
        const started = performance.now();
        const response = await (servers[n % servers.length] ?? first).send('POST', 'auth/cloud/login', body);
        stage.check(response.status === 200, `${name}: a login returns ${response.status}: ${response.text}`);
        times.push(performance.now() - started);
      }
    };
    await Promise.all(Array.from({ length: stage.clients }, (_, at) => work(at)));
    const value = (times.length * 1_000) / (performance.now() - since);
    stage.figure({ name: `${name}, ${type} tokens`, value, unit: '/s' });
    stage.figure({ name: 'p99', value: quantile(times, 0.99), unit: 'ms' });
  }
}

/** One server with a store of its own, one on etcd, and three, one after the other on one machine. */
async function compareLogins(stage: Stage): Promise<void> {
  const cloud = await createFakeCloud();
  stage.atEnd(() => cloud.close());
  const single = await startStressedServer(stage.main, stage.folder, cloud, stage.clients);
  try {
    await countLogins(stage, 'one on a directory', [single.client], { cloud, ...single });
  } finally {
    await single.stop();
  }
  for (const servers of [1, 3]) {
    const region = await stage.open({ servers, members: 3, cloud });
    const clients = region.servers.map(({ address }) => createClient(address, stage.clients));
    await configureCloud(clients[0] as Client, region.rootToken);
    await countLogins(stage, `${servers} on etcd`, clients, { cloud, ...region });
    for (const client of clients) client.close();
    await region.close();
  }
}

export const figureCases: readonly ClusterCase[] = [
  { name: 'logins a second of one server and of several', play: compareLogins },
];
