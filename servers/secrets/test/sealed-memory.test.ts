import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer, type BuiltServer } from '../stress/build-server.js';
import { startServerProcess, type ServerProcess } from '../stress/server-process.js';
import { decryptEntry, oneKey } from '../src/seal/encrypted-storage.js';
import { createSeal } from '../src/seal/seal.js';
import { createMemoryStorage } from '../src/storage/memory.js';
import { tokenPaths } from '../src/tokens/token-paths.js';

/** Why the memory of a child process cannot be read here; null if it can. */
function whyNoMemory(): string | null {
  try {
    closeSync(openSync('/proc/self/mem', 'r'));
    return null;
  } catch {
    return 'only Linux lets a process read the memory of another as a file';
  }
}

/** Counts the copies of each key in the writable memory of a process. */
function copiesOf(pid: number, keys: ReadonlyMap<string, Buffer>): Record<string, number> {
  const counts = Object.fromEntries([...keys.keys()].map((name) => [name, 0]));
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'latin1').split('\n')) {
      const [, start = '', end = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (start === '') continue;
      const bytes = Buffer.alloc(Number(BigInt(`0x${end}`) - BigInt(`0x${start}`)));
      let length = 0;
      try {
        length = readSync(memory, bytes, 0, bytes.length, BigInt(`0x${start}`) as unknown as number);
      } catch {
        // Some regions of the system cannot be read.
      }
      for (const [name, key] of keys) {
        for (let at = bytes.indexOf(key); at !== -1 && at < length; at = bytes.indexOf(key, at + 1))
          counts[name] = (counts[name] ?? 0) + 1;
      }
    }
  } finally {
    closeSync(memory);
  }
  return counts;
}

const reason = whyNoMemory();

describe.skipIf(reason !== null)(
  `the memory of a sealed server${reason === null ? '' : `: ${reason}`}`,
  () => {
    let built: BuiltServer;
    let directory: string;
    let server: ServerProcess;
    beforeAll(async () => {
      [built, directory] = await Promise.all([buildServer(), mkdtemp(join(tmpdir(), 'secrets-memory-'))]);
    });
    afterAll(async () => {
      await server.kill();
      built.remove();
      await rm(directory, { recursive: true });
    });

    it('holds no key that opens the store or a token', async () => {
      const file = join(directory, 'server.hcl');
      await writeFile(
        file,
        `storage "lmdb" { path = ${JSON.stringify(join(directory, 'store'))} }
       audit "file" { path = ${JSON.stringify(join(directory, 'audit.log'))} }
       listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }`,
      );
      server = startServerProcess(built.main, ['--config', file]);
      const [address = ''] = (await server.listening) ?? [];
      let token = '';
      const call = async (method: string, path: string, body?: unknown): Promise<string> => {
        const response = await fetch(`${address}/v1/${path}`, {
          method,
          headers: { 'X-Secrets-Token': token },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        expect(response.status).toBeLessThan(300);
        return response.text();
      };
      const made = JSON.parse(await call('PUT', 'sys/init', {})) as { keys: [string]; root_token: string };
      token = made.root_token;
      const unsealKey = Buffer.from(made.keys[0], 'hex');
      await call('PUT', 'sys/unseal', { key: made.keys[0] });
      await call('PUT', 'sys/rotate');
      for (const type of ['service', 'batch']) await call('POST', 'auth/token/create', { type });
      const keys = await keysOf(await call('GET', 'sys/storage/backup'), unsealKey);
      const { 'the unseal key': ofUnsealKey, ...others } = copiesOf(server.pid, keys);
      expect(ofUnsealKey).toBe(0);
      expect(Object.entries(others).filter(([, count]) => count === 0)).toEqual([]);
      await call('PUT', 'sys/seal');
      await expect
        .poll(() => copiesOf(server.pid, keys))
        .toEqual(Object.fromEntries([...keys.keys()].map((name) => [name, 0])));
    });
  },
);

/** Returns the keys in a backup. */
async function keysOf(backup: string, unsealKey: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const storage = createMemoryStorage();
  for (const line of backup.trimEnd().split('\n').slice(1, -1)) {
    const [path, value] = JSON.parse(line) as [string, string];
    await storage.write([{ path, value: Buffer.from(value, 'base64') }]);
  }
  const seal = createSeal(storage, randomBytes, () => 0);
  const { storage: plain, keyring } = await seal.open(Buffer.from(unsealKey));
  const read = async (path: string): Promise<Buffer> => Buffer.from((await plain.get(path)) ?? []);
  return new Map([
    ['the unseal key', unsealKey],
    ['the root key', decryptEntry(oneKey(unsealKey), 'core/keyring', (await storage.get('core/keyring'))!)],
    ['the key of new entries', keyring.newest().key],
    ['the salt of tokens', await read(tokenPaths.salt)],
    ['the key of batch tokens', await read(tokenPaths.batchKey)],
    ['the salt of the audit log', await read('sys/audit/salt')],
  ]);
}
