import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { readServerSettings } from '../../src/program/settings/server-settings.js';
import type { OpenStore } from '../../src/storage/driver.js';
import type { Clock } from '../../src/base/clock.js';
import { systemClock } from '@tamis/http';
import { freePort } from './free-port.js';
import { createMemoryLogger, startServer, type TestServer } from './secrets-server.js';

/** A server of several that share a store in etcd, in this process. */
export interface SharedServer extends TestServer {
  readonly store: OpenStore;
  /** What the others reach it at. */
  readonly peerAddress: string;
  /** What it has recorded, line by line. */
  readonly audited: readonly string[];
}

/** Opens a store as a configuration file names it, with settings in addition to the default ones. */
export async function openShared(
  urls: readonly string[],
  peerPort: number,
  more: Readonly<Record<string, string | number | boolean>> = {},
): Promise<OpenStore> {
  // No test waits for the end of a lease: a machine that is busy must not end one.
  const settings = { lease_ttl: 60, peer_address: `127.0.0.1:${peerPort}`, ...more };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  const text = `storage "etcd" {\nendpoints = ${JSON.stringify(urls)}\n${lines.join('\n')}\n}`;
  const { storage } = readServerSettings([{ name: 'f', text }], { dev: false, onWarning: () => undefined });
  return storage.open({
    clock: systemClock,
    logger: createMemoryLogger(),
    randomBytes,
    uuid: randomUUID,
    readText: (file) => readFile(file, 'utf8'),
    readSecret: (file) => readFile(file, 'utf8'),
  });
}

export async function startShared(
  urls: readonly string[],
  more: Parameters<typeof openShared>[2] = {},
  clock: Clock = systemClock,
): Promise<SharedServer> {
  const peerPort = await freePort();
  const store = await openShared(urls, peerPort, more);
  const audited: string[] = [];
  const server = await startServer({
    auditSink: {
      write: async (lines) => void audited.push(...lines.trimEnd().split('\n')),
      reopen: async () => undefined,
      space: async () => null,
      close: async () => undefined,
    },
    storage: store.storage,
    election: store.election,
    systemClock: clock,
    unsealed: false,
  });
  return { ...server, store, peerAddress: `127.0.0.1:${peerPort}`, audited };
}
