import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAgent } from '../../scheduler/stress/build-agent.js';
import { buildServer } from '../../secrets/stress/build-server.js';
import { createClient } from '../../secrets/stress/client.js';
import { initialize } from '../../secrets/stress/initialize.js';
import { startServerProcess } from '../../secrets/stress/server-process.js';
import type { LockedServer } from './lock-stress.js';

/** The servers of this repository, built, each with a way to a new directory that it can serve. */
export interface LockedServers {
  readonly make: readonly ((directory: string) => Promise<LockedServer>)[];
  remove(): void;
}

export async function buildLockedServers(): Promise<LockedServers> {
  const [agent, secrets] = [await buildAgent(), await buildServer()];
  return {
    make: [
      (directory) => schedulerIn(agent.main, directory),
      (directory) => secretsIn(secrets.main, directory),
    ],
    remove() {
      agent.remove();
      secrets.remove();
    },
  };
}

const ready = /^Listening on (http:[^\s,]+)/m;

async function schedulerIn(main: string, directory: string): Promise<LockedServer> {
  const ports = ['--port', '0', '--rpc-port', '0', '--serf-port', '0'];
  return {
    name: 'scheduler',
    commandLine: [main, 'agent', '--data-dir', directory, '--log-level', 'error', ...ports],
    directory,
    ready,
    async write(address, key, signal) {
      const body = JSON.stringify({ Name: key });
      const { ok } = await fetch(`${address}/v1/namespace`, { method: 'PUT', body, signal });
      return ok;
    },
  };
}

async function secretsIn(main: string, directory: string): Promise<LockedServer> {
  mkdirSync(directory);
  const store = join(directory, 'store');
  const file = join(directory, 'server.hcl');
  const keyFile = join(directory, 'unseal.key');
  const settings = `
    storage "lmdb" { path = ${JSON.stringify(store)} }
    listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }`;
  writeFileSync(file, settings);
  const server = startServerProcess(main, ['--config', file]);
  const [address = ''] = (await server.listening) ?? [];
  const client = createClient(address, 1);
  const { unsealKey, rootToken } = await initialize(client).finally(() => client.close());
  await server.kill();
  writeFileSync(keyFile, unsealKey, { mode: 0o600 });
  writeFileSync(file, `${settings}\nseal { key_file = ${JSON.stringify(keyFile)} }`);
  return {
    name: 'secrets',
    commandLine: [main, 'server', '--config', file],
    directory: store,
    ready,
    async write(to, key, signal) {
      const { ok } = await fetch(`${to}/v1/sys/policies/acl/${key}`, {
        method: 'PUT',
        headers: { 'X-Secrets-Token': rootToken },
        body: JSON.stringify({ policy: '' }),
        signal,
      });
      return ok;
    },
  };
}
