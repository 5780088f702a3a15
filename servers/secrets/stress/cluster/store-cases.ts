import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '../../../etcd/test/support/certificates.js';
import { createFakeCloud } from '../../test/support/fake-cloud.js';
import { principal } from '../../test/support/fake-resources.js';
import { createClient } from '../client.js';
import { startServerProcess } from '../server-process.js';
import { configureCloud } from '../stressed-server.js';
import type { ClusterServer } from './cluster-server.js';
import type { Region } from './region.js';
import { bodyOf, createSend, lookUp, makeToken, type SendRequest } from './requests.js';
import type { ClusterCase, Stage } from './stage.js';

/** Names that nothing else has, and the tokens of a store. */
interface Contents {
  readonly names: readonly string[];
  readonly tokens: readonly string[];
}

async function fill(
  send: SendRequest,
  server: { readonly address: string },
  count: number,
): Promise<Contents> {
  const names: string[] = [];
  const tokens: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const [policy, role, display] = ['policy', 'role', 'display'].map(
      (kind) => `conspicuous-${kind}-${at}`,
    ) as [string, string, string];
    await send(server, 'PUT', `sys/policies/acl/${policy}`, { policy: `path "conspicuous/path/${at}" {}` });
    await send(server, 'PUT', `auth/cloud/role/${role}`, { bound_service_principal_ids: [principal] });
    const made = { policies: [policy], display_name: display, meta: { conspicuous: `meta-${at}` } };
    tokens.push(await makeToken(send, server, made));
    names.push(policy, role, display, `conspicuous/path/${at}`, `meta-${at}`);
  }
  return { names, tokens };
}

/** A snapshot of etcd on disk contains no names chosen by users, and no token. */
async function searchSnapshot(stage: Stage): Promise<void> {
  const cloud = await createFakeCloud();
  stage.atEnd(() => cloud.close());
  const region = await stage.open({ cloud });
  const send = createSend(stage, region);
  const [first, second] = region.servers as readonly [ClusterServer, ClusterServer];
  const client = createClient(first.address, 1);
  await configureCloud(client, region.rootToken);
  client.close();
  const { names, tokens } = await fill(send, second, 40);
  await send(first, 'POST', 'auth/token/revoke', { token: tokens[0] });
  const file = join(stage.folder, 'snapshot');
  region.etcd.control(['snapshot', 'save', file]);
  const bytes = readFileSync(file);
  const accessors = await Promise.all(
    tokens.slice(1).map(async (token) => {
      const { data } = bodyOf(await lookUp(send, first, token)) as {
        readonly data: { readonly accessor: string };
      };
      return data.accessor;
    }),
  );
  const secrets = [region.rootToken, region.unsealKey, ...tokens, ...accessors];
  const forms = secrets.flatMap((each) => [each, Buffer.from(each).toString('base64').replace(/=*$/, '')]);
  const words = [...names, ...forms, principal, 'sys/policy', 'sys/token', 'auth/cloud'];
  for (const word of words) stage.check(!bytes.includes(word), `the snapshot holds ${word}`);
  stage.check(bytes.includes('/secrets/head'), 'the snapshot does not hold the store at all');
  stage.figure({ name: 'words looked for', value: words.length, unit: '' });
  stage.figure({ name: 'bytes searched', value: bytes.length, unit: '' });
}

/** From etcd to a directory, and from there to etcd again: the entries stay as they are, byte for byte. */
async function migrate(stage: Stage): Promise<void> {
  const region = await stage.open();
  const send = createSend(stage, region);
  const [first] = region.servers as readonly [ClusterServer];
  const { tokens } = await fill(send, first, 40);
  await Promise.all(region.servers.map((server) => server.stop()));
  const before = rowsBelow(region, '/secrets/');
  const directory = join(stage.folder, 'directory.hcl');
  writeFileSync(
    directory,
    `storage "lmdb" { path = ${JSON.stringify(join(stage.folder, 'store'))} }
listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }
auth "cloud" { path = "cloud" }
`,
  );
  const moved = await run(stage, ['operator', 'migrate', '--from', first.file, '--config', directory]);
  stage.check(moved.startsWith(`${before.size} entries`), `it is told as: ${moved}`);
  const server = startServerProcess(stage.main, ['--config', directory], {
    SECRETS_UNSEAL_KEY_FILE: join(region.folder, 'unseal.key'),
  });
  stage.atEnd(() => server.kill());
  const [address = ''] = (await server.listening) ?? [];
  for (const token of tokens) stage.expect(await lookUp(send, { address }, token), 200, 'in the directory');
  server.signal('SIGTERM');
  await server.ended;
  const again = join(stage.folder, 'again.hcl');
  writeFileSync(again, readFileSync(first.file, 'utf8').replace('{\n', '{\n  prefix = "/again/"\n'));
  const back = await run(stage, ['operator', 'migrate', '--from', directory, '--config', again]);
  stage.check(/^\d+ entries/.test(back), `it is told as: ${back}`);
  const after = rowsBelow(region, '/again/');
  // The start in the directory may have written: names of its own, and nothing else.
  for (const [key, value] of before)
    stage.check(after.get(key) === value, `the entry ${key} is not as it was before both moves`);
  stage.figure({ name: 'entries compared', value: before.size, unit: '' });
  stage.figure({ name: 'entries that came on the way', value: after.size - before.size, unit: '' });
  const twice = await run(stage, ['operator', 'migrate', '--from', directory, '--config', again]);
  stage.check(twice.includes('initialized'), `a move into a store that is there is told as: ${twice}`);
}

function rowsBelow({ etcd }: Region, prefix: string): ReadonlyMap<string, string> {
  const rows = `${prefix}r/`;
  const { kvs } = JSON.parse(etcd.control(['get', rows, '--prefix', '-w', 'json'])) as {
    readonly kvs: readonly { readonly key: string; readonly value: string }[];
  };
  return new Map(
    kvs.map(({ key, value }) => [Buffer.from(key, 'base64').toString().slice(rows.length), value]),
  );
}

/** All that a command prints. */
async function run({ main }: Stage, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
  await once(child, 'close');
  return printed;
}

/** An address of this machine that is not loopback; undefined if it has none. */
function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

/** Outside of loopback, servers authenticate each other with certificates of one authority; other clients are refused. */
async function proveEachOther(stage: Stage): Promise<void> {
  const host = ownAddress();
  if (host === undefined) throw new Error('this machine has no address but loopback');
  const files = makeCertificates(stage.folder, [`IP:${host}`]);
  const region = await stage.open({ peers: { host, ...files } });
  const send = createSend(stage, region);
  const { active, standby } = await region.parts();
  for (const server of standby) {
    const token = await makeToken(send, server);
    stage.expect(await lookUp(send, active, token), 200, 'a token over TLS');
  }
  const plain = await fetch(`http://${active.peerAddress}/forward`, { method: 'POST' }).catch(() => null);
  stage.check(plain === null, `without TLS the port returns ${plain?.status}`);
  const unknownPeer = await fetch(`https://${active.peerAddress}/forward`, { method: 'POST' }).catch(
    () => null,
  );
  stage.check(unknownPeer === null, `without a certificate the port returns ${unknownPeer?.status}`);
  await active.kill();
  const [requested = active] = standby;
  await region.active();
  stage.expect(
    await send(requested, 'GET', 'sys/policies/acl/default'),
    200,
    'a request after a change of the active',
  );
}

export const storeCases: readonly ClusterCase[] = [
  { name: 'a snapshot of etcd is searched for every name and token', play: searchSnapshot },
  { name: 'a store is moved from etcd to a directory and back', play: migrate },
  { name: 'servers reach each other off loopback by mutual TLS', play: proveEachOther },
];
