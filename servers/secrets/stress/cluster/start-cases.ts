import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { StressResponse } from '../client.js';
import { healthOf } from './region.js';
import { bodyOf, createSend } from './requests.js';
import type { ClusterCase, Stage } from './stage.js';

/** All servers are initialised at once: one creates the store, and all of them unseal it with its key. */
async function initializeAtOnce(stage: Stage): Promise<void> {
  const region = await stage.open({ isCold: true });
  const send = createSend(stage, region);
  await Promise.all(region.servers.map((server) => server.start()));
  for (const server of region.servers)
    stage.expect(await send(server, 'GET', 'sys/health'), 501, 'the health of a server without a store');
  const responses = await Promise.all(
    region.servers.map((server) => send(server, 'PUT', 'sys/init', {}, null)),
  );
  const made = responses.filter(({ status }) => status === 200);
  stage.check(made.length === 1, `the store was made ${made.length} times`);
  for (const { status } of responses)
    stage.check([200, 400, 503].includes(status), `one of three that initialize returns ${status}`);
  const { keys, root_token: rootToken } = bodyOf(made[0] as StressResponse) as {
    readonly keys: readonly string[];
    readonly root_token: string;
  };
  for (const server of region.servers)
    stage.expect(await send(server, 'PUT', 'sys/unseal', { key: keys[0] }, null), 200, 'unsealing');
  await region.whole();
  for (const server of region.servers) {
    const read = await send(server, 'GET', 'sys/policies/acl/default', undefined, rootToken);
    stage.expect(read, 200, 'the root token');
    stage.expect(await send(server, 'PUT', 'sys/init', {}, null), 400, 'a second store');
  }
}

/** A sealed server is not elected, even if it is the only one. */
async function standSealed(stage: Stage): Promise<void> {
  const region = await stage.open({ servers: 2 });
  const send = createSend(stage, region);
  const { active, standby } = await region.parts();
  const [sealed = active] = standby;
  writeFileSync(join(region.folder, 'unseal.key'), '');
  await sealed.kill();
  await sealed.start();
  stage.expect(
    await send(sealed, 'GET', 'sys/health'),
    503,
    'the health of a sealed server next to an active one',
  );
  await active.kill();
  await pause((region.leaseTtl + 2) * 1_000);
  stage.expect(await send(sealed, 'GET', 'sys/health'), 503, 'the health of a sealed server that is alone');
  stage.expect(await send(sealed, 'GET', 'sys/policies/acl/default'), 503, 'a request to a sealed server');
  const { leader_cluster_address: address } = bodyOf(await send(sealed, 'GET', 'sys/leader'));
  stage.check(address === '', `a sealed server names ${String(address)} as active`);
  stage.expect(await send(sealed, 'PUT', 'sys/unseal', { key: region.unsealKey }), 200, 'unsealing');
  const since = performance.now();
  while ((await healthOf(sealed)) !== 200) await pause(20);
  stage.figure({ name: 'active once unsealed', value: performance.now() - since, unit: 'ms', max: 1_000 });
}

/** Rotations at several servers at once are made one after the other; one that dies with its server was made or not. */
async function rotateAtOnce(stage: Stage): Promise<void> {
  const region = await stage.open();
  const send = createSend(stage, region);
  const { active, standby } = await region.parts();
  const [other = active] = standby;
  const term = async (): Promise<number> => {
    const { data } = bodyOf(await send(other, 'GET', 'sys/key-status')) as {
      readonly data: { term: number };
    };
    return data.term;
  };
  await send(other, 'PUT', 'sys/policies/acl/early', { policy: '' });
  const responses = await Promise.all(region.servers.map((server) => send(server, 'PUT', 'sys/rotate')));
  for (const response of responses) stage.expect(response, 204, 'one of three rotations at once');
  const before = await term();
  stage.check(before === 4, `after three rotations the term is ${before}`);
  const requested = Array.from({ length: 20 }, () => send(other, 'PUT', 'sys/rotate').catch(() => null));
  await Promise.race(requested);
  await active.kill();
  const settled = await Promise.all(requested);
  await active.start();
  await region.whole();
  const done = settled.filter((each) => each?.status === 204).length;
  const after = await term();
  stage.check(
    after >= before + done && after <= before + settled.length,
    `the term is ${after} after ${before} and ${done} acknowledged rotations of ${settled.length}`,
  );
  for (const server of region.servers)
    stage.expect(await send(server, 'GET', 'sys/policies/acl/early'), 200, 'an entry of the first key');
}

/** A new unseal key is made at one server, which dies: another one confirms it, and the one before opens nothing. */
async function finishRekey(stage: Stage): Promise<void> {
  const region = await stage.open();
  const send = createSend(stage, region);
  const { active, standby } = await region.parts();
  const [requested = active] = standby;
  const nonce = async (): Promise<string> =>
    String(bodyOf(await send(requested, 'GET', 'sys/rekey/init'))['nonce']);
  const body = { nonce: await nonce(), key: region.unsealKey };
  const made = await send(requested, 'PUT', 'sys/rekey/update', body);
  stage.expect(made, 200, 'the next unseal key');
  const [next = ''] = (bodyOf(made) as { readonly keys: readonly string[] }).keys;
  await active.kill();
  while ((await send(requested, 'GET', 'sys/rekey/init')).status !== 200) await pause(50);
  const verified = await send(requested, 'PUT', 'sys/rekey/verify', { nonce: await nonce(), key: next });
  stage.expect(verified, 200, 'the confirmation at the successor');
  const successor = await region.active();
  writeFileSync(join(region.folder, 'unseal.key'), next);
  await active.start();
  for (const server of region.servers) {
    if (server === successor || server === active) continue;
    while ((await healthOf(server)) !== 503) await pause(20);
    const old = await send(server, 'PUT', 'sys/unseal', { key: region.unsealKey });
    stage.expect(old, 400, 'the unseal key before');
    stage.expect(await send(server, 'PUT', 'sys/unseal', { key: next }), 200, 'the new unseal key');
  }
  await region.whole();
}

export const startCases: readonly ClusterCase[] = [
  { name: 'three servers initialize at once', play: initializeAtOnce },
  { name: 'a sealed server does not stand for election', play: standSealed },
  { name: 'rotations at once, and one whose server dies', play: rotateAtOnce },
  { name: 'a new unseal key is confirmed at the successor', play: finishRekey },
];
