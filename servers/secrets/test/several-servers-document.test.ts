import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../../etcd/test/support/etcd-cluster.js';
import { etcdMissing } from '../../etcd/test/support/etcd-process.js';
import { buildServer, type BuiltServer } from '../stress/build-server.js';

/** The commands of the document about several servers, run in one shell as written, on other ports. */

const document = new URL('../docs/several-servers.md', import.meta.url);

/** Three digits that ports begin with of which none is used: `8210` becomes `31110`. */
async function freeBase(): Promise<number> {
  for (let base = 311; ; base += 1) {
    const ports = [1, 2, 3].flatMap((n) => [0, 1].map((m) => base * 100 + n * 10 + m));
    const servers = ports.map((port) => createServer().listen(port, '127.0.0.1'));
    const areFree = await Promise.all(
      servers.map((server) =>
        once(server, 'listening').then(
          () => true,
          () => false,
        ),
      ),
    );
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    if (!areFree.includes(false)) return base;
  }
}

describe.skipIf(etcdMissing !== undefined)(`the document about several servers ${etcdMissing ?? ''}`, () => {
  let built: BuiltServer;
  let cluster: Cluster;
  let directory: string;

  beforeAll(async () => {
    [built, cluster] = await Promise.all([buildServer(), startCluster()]);
    directory = await mkdtemp(join(tmpdir(), 'secrets-several-'));
  }, 60_000);
  afterAll(async () => {
    for (const n of [1, 2, 3]) {
      const pid = Number(await readFile(join(directory, `s${n}.pid`), 'utf8').catch(() => '0'));
      try {
        if (pid > 0) process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    await cluster.stop();
    built.remove();
    await rm(directory, { recursive: true });
  });

  it('does what it says', async () => {
    const secrets = join(directory, 'secrets');
    await writeFile(secrets, `#!/bin/sh\nexec ${process.execPath} ${built.main} "$@"\n`);
    await chmod(secrets, 0o755);
    const base = await freeBase();
    const blocks = [...(await readFile(document, 'utf8')).matchAll(/^```sh\n(.*?)^```$/gms)];
    const commands = blocks
      .map(([, text = '']) => text)
      .join('\n')
      .replaceAll('http://127.0.0.1:2379', cluster.urls[0]!)
      .replaceAll('127.0.0.1:82', `127.0.0.1:${base}`)
      // A machine that is busy must not end a lease.
      .replaceAll('  peer_address = ', '  lease_ttl = 20\n  peer_address = ');
    const { stdout: all } = await promisify(execFile)(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', commands],
      { cwd: directory, env: { PATH: `${directory}:${process.env['PATH'] ?? ''}` } },
    );
    expect(all).toContain('The server is unsealed.');
    expect(all).toContain(`"leader_address":"http://127.0.0.1:${base}10"`);
    expect(all.match(/"name":"kept"/g)).toHaveLength(2);
    expect(all).toMatch(/^\d+ entries of etcd \S+ below \/secrets\/ are in store, compared one by one/m);
    expect(blocks).toHaveLength(5);
    const root = (await readFile(join(directory, 'root.token'), 'utf8')).trim();
    for (const n of [1, 2, 3]) {
      const log = await readFile(join(directory, `s${n}.log`), 'utf8');
      const audit = await readFile(join(directory, `audit-${n}.log`), 'utf8').catch(() => '');
      expect(log + audit).not.toContain(root);
    }
  });
});
