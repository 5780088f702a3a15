import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { healthOf } from './region.js';
import { bodyOf, createSend, lookUp, makeToken } from './requests.js';
import type { ClusterCase, Stage } from './stage.js';

/** Debian's libfaketime, in the architectures that there are. */
const libraries = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`,
);

/** Milliseconds until clocks are compared. */
const timeoutMs = 20_000;

/**
 * The clock of a server is an hour ahead. It reports that, others report it, and it is not elected: tokens with at least an hour
 * left stay valid, and expiring ones expire.
 */
async function goAhead(stage: Stage): Promise<void> {
  const library = libraries.find(existsSync);
  if (library === undefined) throw new Error('libfaketime is not installed (Debian package faketime)');
  const wrong = { LD_PRELOAD: library, FAKETIME: '+3600s', FAKETIME_DONT_FAKE_MONOTONIC: '1' };
  const region = await stage.open({ env: (at): Readonly<Record<string, string>> => (at === 0 ? wrong : {}) });
  const send = createSend(stage, region);
  const [ahead, second, third] = region.servers;
  if (ahead === undefined || second === undefined || third === undefined) return;
  const since = performance.now();
  const isReported = async (): Promise<boolean> => {
    const { clock_skew_ms: skew = 0, warnings = [] } = bodyOf(await send(ahead, 'GET', 'sys/health'));
    return (
      Math.abs(Number(skew) - 3_600_000) < 5_000 &&
      /3600 seconds ahead.*not a candidate/s.test(String(warnings))
    );
  };
  while (!(await isReported()) && performance.now() - since < timeoutMs) await pause(50);
  stage.check(await isReported(), `its health is ${(await send(ahead, 'GET', 'sys/health')).text}`);
  stage.figure({ name: 'told', value: performance.now() - since, unit: 'ms', max: 10_000 });
  const long = await makeToken(send, ahead, { ttl: '30m' });
  const short = await makeToken(send, ahead, { ttl: '3s' });
  for (let kill = 0; kill < 3; kill += 1) {
    const active = await region.whole();
    stage.check(active !== ahead, 'the server that is an hour ahead is the active one');
    const reported = performance.now();
    const reports = async (): Promise<boolean> =>
      (await send(active, 'GET', 'sys/health')).text.includes('3600 seconds ahead');
    while (!(await reports()) && performance.now() - reported < timeoutMs) await pause(50);
    stage.check(await reports(), 'the active server does not tell of a clock that is an hour ahead');
    await active.kill();
    await active.start();
    for (const server of region.servers) {
      while ((await lookUp(send, server, long)).status === 503) await pause(50);
      stage.expect(await lookUp(send, server, long), 200, 'a token that lives half an hour');
    }
  }
  await pause(3_000);
  for (const server of region.servers)
    stage.expect(await lookUp(send, server, short), 403, 'a token that lived three seconds');
  await Promise.all([second.kill(), third.kill()]);
  await pause((region.leaseTtl + 1) * 1_000);
  stage.check(
    (await healthOf(ahead)) !== 200,
    'the server that is an hour ahead is elected where nobody else is',
  );
  await second.start();
  while ((await lookUp(send, second, long)).status === 503) await pause(50);
  stage.expect(await lookUp(send, ahead, long), 200, 'a token that lives half an hour, at the end');
}

export const clockCases: readonly ClusterCase[] = [
  { name: 'the clock of a server is an hour ahead', play: goAhead },
];
