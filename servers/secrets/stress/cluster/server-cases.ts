import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterServer } from './cluster-server.js';
import type { Region } from './region.js';
import { createSend, lookUp, makeToken, type SendRequest } from './requests.js';
import { noteGaps, underLoad, type ClusterCase, type Load, type Stage } from './stage.js';

/** Milliseconds for which a server is frozen: several times the lease. */
export const freezeTime = 15_000;

/** Maximum time without responses after a crash, and after a regular stop, in ms. */
const processGap = 1_000;
const signalGap = 500;

async function killActive(stage: Stage): Promise<void> {
  const region = await stage.open({ members: 3 });
  const gaps: number[] = [];
  await underLoad(stage, region, async (load) => {
    for (let kill = 1; kill <= stage.kills; kill += 1) {
      const active = await region.whole();
      await pause(Math.random() * 300);
      gaps.push(await load.gap(() => active.kill()));
      await active.start();
      stage.progress(`${kill} of ${stage.kills} kills`);
    }
  });
  noteGaps(stage, 'responds again', gaps, processGap);
}

async function killStandby(stage: Stage): Promise<void> {
  const region = await stage.open();
  await underLoad(stage, region, async (load) => {
    const { standby } = await region.parts();
    for (const server of standby) {
      noteGaps(stage, 'responds again', [await load.gap(() => server.kill())], processGap);
      await server.start();
    }
  });
}

/** All servers and all of etcd at once, as when the power fails. */
async function killEverything(stage: Stage): Promise<void> {
  const region = await stage.open({ members: 3 });
  const gaps: number[] = [];
  await underLoad(stage, region, async (load) => {
    const powerless = [...region.servers, ...region.etcd.members];
    const gap = load.gap(async () => {
      await Promise.all(powerless.map((each) => each.kill()));
      await Promise.all(region.etcd.members.map((member) => member.start()));
      await Promise.all(region.servers.map((server) => server.start()));
    });
    gaps.push(await gap);
  });
  noteGaps(stage, 'responds again', gaps, 10_000);
}

async function restartAll(stage: Stage): Promise<void> {
  const region = await stage.open();
  const gaps: number[] = [];
  await underLoad(stage, region, async (load) => {
    for (const server of region.servers) {
      await region.whole();
      gaps.push(await load.gap(() => server.stop()));
      await server.start();
    }
  });
  noteGaps(stage, 'responds again', gaps, processGap);
}

/** The active server is stopped: it completes the requests in progress and resigns. */
async function stopActive(stage: Stage): Promise<void> {
  const region = await stage.open();
  const gaps: number[] = [];
  await underLoad(stage, region, async (load) => {
    for (let time = 0; time < 3; time += 1) {
      const active = await region.whole();
      gaps.push(await load.gap(() => active.stop()));
      await active.start();
    }
  });
  noteGaps(stage, 'responds again', gaps, signalGap);
}

async function stepDown(stage: Stage): Promise<void> {
  const region = await stage.open();
  const send = createSend(stage, region);
  const gaps: number[] = [];
  await underLoad(stage, region, async (load) => {
    for (let time = 0; time < 3; time += 1) {
      const { active, standby } = await region.parts();
      const requested = standby[time % standby.length] ?? active;
      gaps.push(await load.gap(async () => void (await send(requested, 'PUT', 'sys/step-down'))));
    }
  });
  noteGaps(stage, 'responds again', gaps, processGap);
}

/**
 * A server is frozen, and wakes with pending requests that were sent after a token was revoked elsewhere: none of them may be
 * handled as if the token were valid. Resolves with the milliseconds without responses.
 */
async function freeze(
  { stage, region, load }: { readonly stage: Stage; readonly region: Region; readonly load: Load },
  frozen: ClusterServer,
  other: ClusterServer,
): Promise<number> {
  const send = createSend(stage, region);
  const token = await makeToken(send, other);
  stage.expect(await lookUp(send, frozen, token), 200, 'a token before the freeze');
  const rest = pause(freezeTime);
  const gap = await load.gap(async () => frozen.freeze());
  await revoke(send, other, token);
  const stale = Array.from({ length: 20 }, () => lookUp(send, frozen, token));
  await rest;
  frozen.thaw();
  for (const { status, text } of await Promise.all(stale))
    stage.check(
      status === 403 || status === 503,
      `a server that woke returned ${status} for a token that was revoked meanwhile: ${text.slice(0, 100)}`,
    );
  return gap;
}

/** Until it is acknowledged: the first tries may meet no active server. */
export async function revoke(send: SendRequest, server: ClusterServer, token: string): Promise<void> {
  while ((await send(server, 'POST', 'auth/token/revoke', { token })).status !== 204) await pause(50);
}

async function freezeActive(stage: Stage): Promise<void> {
  const region = await stage.open();
  await underLoad(stage, region, async (load) => {
    const { active, standby } = await region.parts();
    const gap = await freeze({ stage, region, load }, active, standby[0] ?? active);
    noteGaps(stage, 'responds again', [gap], (region.leaseTtl + 2) * 1_000);
  });
}

async function freezeStandby(stage: Stage): Promise<void> {
  const region = await stage.open();
  await underLoad(stage, region, async (load) => {
    const { standby } = await region.parts();
    const [first, second] = standby as [ClusterServer, ClusterServer];
    noteGaps(stage, 'responds', [await freeze({ stage, region, load }, first, second)], processGap);
  });
}

/** The host of the active server is lost: nothing that it sends arrives, and connections to it are not refused. */
async function loseHost(stage: Stage): Promise<void> {
  const region = await stage.open({ isProxied: true });
  const { network } = region;
  if (network === null) return;
  const active = await region.whole();
  const others = region.servers.filter((server) => server !== active);
  const at = region.servers.indexOf(active);
  await underLoad(stage, { ...region, servers: others }, async (load) => {
    const ways = [...network.toEtcd(at), ...network.toPeers(at)];
    const gap = await load.gap(async () => {
      for (const way of ways) way.silence();
    });
    noteGaps(stage, 'responds again', [gap], (region.leaseTtl + 1) * 1_000);
    for (const way of ways) way.heal();
    await region.whole();
  });
}

export const serverCases: readonly ClusterCase[] = [
  { name: 'the active server is killed, again and again', play: killActive },
  { name: 'servers that stand by are killed', play: killStandby },
  { name: 'all servers and all of etcd are killed at once', play: killEverything },
  { name: 'all servers are restarted, one after the other (SIGTERM)', play: restartAll },
  { name: 'the active server is told to end (SIGTERM), three times', play: stopActive },
  { name: 'the active server steps down, three times', play: stepDown },
  { name: 'the active server is frozen for 15 seconds', play: freezeActive },
  { name: 'a server that stands by is frozen for 15 seconds', play: freezeStandby },
  { name: 'the host of the active server is lost', play: loseHost },
];
