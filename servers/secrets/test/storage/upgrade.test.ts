import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLmdbStorage } from '../../src/storage/lmdb.js';
import { startServer } from '../support/secrets-server.js';

/** Stores as earlier versions have left them: the version, a hyphen, the file of the store. */
const fixtures = new URL('../fixtures/', import.meta.url);
const versions = readdirSync(fixtures).flatMap((name) => /^(.*)-secrets\.mdb\.gz$/.exec(name)?.[1] ?? []);

/** What opens each of them, and what was made in it. */
const retained: Readonly<Record<string, { key: string; root: string; token: string }>> = {
  '0.2.0': {
    key: 'e3e33b3cbb4d40a4adf59a0b40b9a65102dfcd166179f3f00352eb1f31f9e610',
    root: 's.fwyIaZhm1LLoYvktIH2lT6NYPCjlzCOjpXmW6HW-GHM',
    token: 's.1_KkdHMXQMGBN6lAbUcqfMYcU3-EfQC4CTrMZO9PdR0',
  },
};

/** The directory of a version, as it was left. */
async function unpack(version: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'secrets-upgrade-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const packed = await readFile(new URL(`${version}-secrets.mdb.gz`, fixtures));
  await writeFile(join(directory, 'secrets.mdb'), gunzipSync(packed), { mode: 0o600 });
  return directory;
}

describe('the data directory of an earlier version', () => {
  it.each(versions)('%s: a server starts on it, has all that is in it, and writes to it', async (version) => {
    const { key, root, token } = retained[version]!;
    const storage = await openLmdbStorage(await unpack(version));
    const server = await startServer({ storage, unsealed: false });
    onTestFinished(() => server.close());
    expect((await server.call('PUT', 'sys/unseal', { token: null, body: { key } })).status).toBe(200);
    const policy = await server.call('GET', 'sys/policies/acl/team', { token: root });
    expect(policy.body.data).toMatchObject({
      policy: 'path "auth/cloud/*" { capabilities = ["read"] }',
    });
    const own = await server.call('GET', 'auth/token/lookup-self', { token });
    expect(own.body.data).toMatchObject({ policies: ['default', 'team'], meta: { a: 'b' }, orphan: false });
    const made = await server.call('POST', 'auth/token/create', {
      token: root,
      body: { policies: ['team'] },
    });
    expect(made.status).toBe(200);
    expect((await server.call('POST', 'auth/token/revoke-self', { token })).status).toBe(204);
  });
});

describe('the data directory of a later version', () => {
  it.each(['core/keyring', 'core/data-keys'])(
    'is not opened where %s has a form of its own',
    async (path) => {
      const { key } = retained['0.2.0']!;
      const storage = await openLmdbStorage(await unpack('0.2.0'));
      const later = Buffer.concat([Buffer.from([9]), (await storage.get('core/keyring'))!.subarray(1)]);
      await storage.write([{ path, value: later }]);
      const server = await startServer({ storage, unsealed: false });
      onTestFinished(() => server.close());
      const response = await server.call('PUT', 'sys/unseal', { token: null, body: { key } });
      expect(response.status).toBe(409);
      expect(response.text).toContain(`another version of this server (${path} has the format 9)`);
      expect((await storage.get(path))!.subarray(0, 1)).toEqual(Uint8Array.of(9));
    },
  );
});
