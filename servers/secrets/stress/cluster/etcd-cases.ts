import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { memberStatus } from '@tamis/etcd';
import type { ClusterMember } from '../../../etcd/test/support/etcd-cluster.js';
import type { Region } from './region.js';
import { bodyOf, createSend, lookUp, makeToken, type SendRequest } from './requests.js';
import { noteGaps, underLoad, type ClusterCase, type Stage } from './stage.js';

async function etcdLeader({ etcd }: Region): Promise<ClusterMember> {
  for (;;) {
    const states = await memberStatus(etcd.connect());
    const leader = states.find((state) => 'isLeader' in state && state.isLeader);
    const member = etcd.members.find(({ url }) => url === leader?.url);
    if (member !== undefined) return member;
    await pause(100);
  }
}

async function killLeader(stage: Stage): Promise<void> {
  const region = await stage.open({ members: 3 });
  await underLoad(stage, region, async (load) => {
    const leader = await etcdLeader(region);
    noteGaps(stage, 'responds again', [await load.gap(() => leader.kill())], 3_000);
    await leader.start();
  });
}

async function freezeLeader(stage: Stage): Promise<void> {
  const region = await stage.open({ members: 3 });
  await underLoad(stage, region, async (load) => {
    const leader = await etcdLeader(region);
    const thawing = pause(5_000);
    noteGaps(stage, 'responds again', [await load.gap(async () => leader.freeze())], 4_000);
    await thawing;
    leader.thaw();
  });
}

/** Without a majority only requests that a server handles by itself get 2xx; afterwards all of them again. */
async function loseMajority(stage: Stage): Promise<void> {
  const region = await stage.open({ members: 3 });
  const send = createSend(stage, region);
  await underLoad(stage, region, async (load) => {
    const lost = region.etcd.members.slice(0, 2);
    await Promise.all(lost.map((member) => member.kill()));
    await pause(3_000);
    const responses = await Promise.all(
      region.servers.map((server) => send(server, 'GET', 'sys/policies/acl/default')),
    );
    for (const response of responses) stage.expect(response, 503, 'a read without a majority of etcd');
    const gap = await load.gap(async () => void (await Promise.all(lost.map((member) => member.start()))));
    noteGaps(stage, 'responds again', [gap], 4_000);
  });
}

async function restartMembers(stage: Stage): Promise<void> {
  const region = await stage.open({ members: 3 });
  const gaps: number[] = [];
  await underLoad(stage, region, async (load) => {
    for (const member of region.etcd.members) {
      gaps.push(
        await load.gap(async () => {
          await member.kill();
          await member.start();
        }),
      );
      await pause(500);
    }
  });
  noteGaps(stage, 'responds again', gaps, 3_000);
}

/** Size of a database that is soon full, and of the data that fills it, in bytes. */
const smallQuota = 4_194_304;
const fillerLength = 100_000;

/** etcd has no space: writes are refused with a message and change nothing, reads continue; then there is space again. */
async function fillDisk(stage: Stage): Promise<void> {
  const region = await stage.open({ etcd: { quota: smallQuota } });
  const send = createSend(stage, region);
  const { active, standby } = await region.parts();
  const [requested = active] = standby;
  const token = await makeToken(send, requested);
  stage.expect(await writePolicy(send, requested, 'kept', 1), 204, 'a write with space');
  for (let at = 0; at < 100; at += 1) {
    try {
      region.etcd.control(['put', `/filler/${at}`], undefined, 'x'.repeat(fillerLength));
    } catch {
      break;
    }
  }
  const refused = await writePolicy(send, requested, 'kept', 2);
  stage.expect(refused, 503, 'a write without space');
  stage.check(refused.text.includes('nothing has changed'), `without space it says ${refused.text}`);
  stage.expect(await send(active, 'GET', 'sys/health'), 503, 'the health of the active server without space');
  for (const server of region.servers) {
    stage.expect(await send(server, 'GET', 'sys/policies/acl/kept'), 200, 'a read without space');
    stage.expect(await lookUp(send, server, token), 200, 'a token without space');
  }
  stage.expect(await send(requested, 'PUT', 'sys/step-down'), 503, 'a step-down without space');
  stage.expect(await lookUp(send, requested, token), 200, 'a token after a step-down that was refused');
  region.etcd.control(['del', '/filler/', '--prefix']);
  const { header } = JSON.parse(region.etcd.control(['get', '/none', '-w', 'json'])) as {
    readonly header: { readonly revision: number };
  };
  // Space that is compacted later is not released now.
  region.etcd.control(['compact', '--physical', String(header.revision)]);
  region.etcd.control(['defrag']);
  region.etcd.control(['alarm', 'disarm']);
  const since = performance.now();
  while ((await writePolicy(send, requested, 'kept', 3)).status !== 204) await pause(50);
  stage.figure({ name: 'written again', value: performance.now() - since, unit: 'ms', max: 4_000 });
  await region.whole();
}

function writePolicy(
  send: SendRequest,
  server: { readonly address: string },
  name: string,
  value: number,
): ReturnType<SendRequest> {
  const policy = `path "value/${value}" { capabilities = ["read"] }`;
  return send(server, 'PUT', `sys/policies/acl/${name}`, { policy });
}

/**
 * etcd is restored from a snapshot while servers run. They continue with its contents, each reports that in its health and its
 * log, and tokens revoked since then can be revoked again.
 */
async function restoreSnapshot(stage: Stage): Promise<void> {
  const region = await stage.open();
  const send = createSend(stage, region);
  const { active, standby } = await region.parts();
  const [requested = active] = standby;
  const revoked = await makeToken(send, requested);
  stage.expect(await writePolicy(send, requested, 'kept', 1), 204, 'a write before the snapshot');
  const file = join(stage.folder, 'snapshot');
  region.etcd.control(['snapshot', 'save', file]);
  stage.expect(await send(requested, 'POST', 'auth/token/revoke', { token: revoked }), 204, 'a revocation');
  const later = await makeToken(send, requested);
  stage.expect(await writePolicy(send, requested, 'kept', 2), 204, 'a write after the snapshot');
  stage.expect(await writePolicy(send, requested, 'gone', 1), 204, 'a write after the snapshot');
  const since = performance.now();
  await region.etcd.restore(file);
  for (const server of region.servers) {
    while ((await send(server, 'GET', 'sys/policies/acl/gone')).status !== 404) await pause(50);
    const retained = await send(server, 'GET', 'sys/policies/acl/kept');
    stage.check(retained.text.includes('value/1'), `after the restore: ${retained.status} ${retained.text}`);
    stage.expect(await lookUp(send, server, later), 403, 'a token that the snapshot does not have');
  }
  stage.figure({ name: 'all are back at the snapshot', value: performance.now() - since, unit: 'ms' });
  for (const server of region.servers) {
    const { warnings = [] } = bodyOf(await send(server, 'GET', 'sys/health')) as {
      readonly warnings?: string[];
    };
    stage.check(
      warnings.some((text) => text.includes('tokens revoked since then are valid again')),
      `after the restore the health of a server warns of ${JSON.stringify(warnings)}`,
    );
    stage.check(
      /tokens revoked since then are valid again/.test(server.output()),
      'its log does not tell of the restore',
    );
  }
  stage.expect(await lookUp(send, requested, revoked), 200, 'a token that is alive again, of which all tell');
  stage.expect(
    await send(requested, 'POST', 'auth/token/revoke', { token: revoked }),
    204,
    'a second revocation',
  );
  for (const server of region.servers)
    stage.expect(await lookUp(send, server, revoked), 403, 'a token that was revoked again');
  await active.kill();
  while ((await lookUp(send, requested, revoked)).status === 503) await pause(50);
  stage.expect(
    await lookUp(send, requested, revoked),
    403,
    'a token that was revoked again, at another active server',
  );
}

export const etcdCases: readonly ClusterCase[] = [
  { name: "etcd's leader is killed", play: killLeader },
  { name: "etcd's leader is frozen for 5 seconds", play: freezeLeader },
  { name: 'the majority of etcd is lost for 3 seconds', play: loseMajority },
  { name: 'the members of etcd are restarted, one after the other', play: restartMembers },
  { name: 'etcd has no space, and then some', play: fillDisk },
  { name: 'etcd is restored from a snapshot while servers run', play: restoreSnapshot },
];
