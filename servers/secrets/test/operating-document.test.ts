import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildServer, type BuiltServer } from '../stress/build-server.js';
import { createClient } from '../stress/client.js';
import { initialize } from '../stress/initialize.js';
import { startServerProcess, type ServerProcess } from '../stress/server-process.js';

/** The commands of the document for operators, run in order as written. */

const document = new URL('../docs/operating.md', import.meta.url);
let built: BuiltServer;
let directory: string;
let server: ServerProcess | null = null;

beforeAll(async () => {
  built = await buildServer();
  directory = await mkdtemp(join(tmpdir(), 'secrets-operating-'));
});
afterAll(async () => {
  await server?.kill();
  built.remove();
  await rm(directory, { recursive: true });
});

const at = (name: string): string => join(directory, name);
const configOf = (store: string): string => `
  storage "lmdb" { path = ${JSON.stringify(at(store))} }
  audit "file" { path = ${JSON.stringify(at('audit.log'))} }
  listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }`;

async function start(file: string): Promise<string> {
  server = startServerProcess(built.main, ['--config', at(file)]);
  const [address] = (await server.listening) ?? [];
  if (address === undefined) throw new Error(server.output());
  return address;
}

it('does what it says', async () => {
  const blocks = [...(await readFile(document, 'utf8')).matchAll(/^```sh ?(\w*)\n(.*?)^```$/gms)];
  await writeFile(at('server.hcl'), configOf('store'));
  await writeFile(at('restored.hcl'), configOf('restored'));
  await writeFile(at('secrets'), `#!/bin/sh\nexec ${process.execPath} ${built.main} "$@"\n`);
  await chmod(at('secrets'), 0o755);
  let address = await start('server.hcl');
  const client = createClient(address, 1);
  const { unsealKey, rootToken } = await initialize(client);
  await client.send('PUT', 'sys/unseal', { key: unsealKey });
  await client.send('PUT', 'sys/policies/acl/kept', { policy: '' }, rootToken);
  client.close();
  for (const [name, text] of [
    ['unseal.key', unsealKey],
    ['root.token', rootToken],
  ] as const) {
    await writeFile(at(name), text, { mode: 0o600 });
  }

  let preparation = '';
  const outputs: string[] = [];
  for (const [, when = '', commands = ''] of blocks) {
    if (preparation === '') {
      preparation = commands;
      continue;
    }
    if (when === 'stopped') await server?.kill();
    if (when === 'restored') address = await start('restored.hcl');
    const here = preparation.replace('http://127.0.0.1:8200', address);
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', here + commands],
      {
        cwd: directory,
        env: { PATH: `${directory}:${process.env['PATH'] ?? ''}` },
      },
    );
    expect(stderr).toBe('');
    outputs.push(stdout);
  }
  const all = outputs.join('');
  expect(all).toContain('"sealed":true');
  expect(all).toContain('The server is unsealed.');
  expect(all).toContain('"term":2');
  expect(all).toContain('The previous unseal key no longer opens the store.');
  expect(all).toMatch(/^\{"entries":\d+,"sha256":"[\da-f]{64}"\}$/m);
  expect(all).toMatch(/^\d+ entries are in /m);
  expect(all).toContain('"name":"kept"');
  expect(all).toMatch(/^secrets_key_term 3$/m);
  expect(blocks).toHaveLength(12);
  // Keys and tokens are in no log.
  const written = (await readFile(at('audit.log'), 'utf8')) + (server?.output() ?? '');
  const keys = await Promise.all(['unseal.key', 'root.token'].map((name) => readFile(at(name), 'utf8')));
  for (const secret of [unsealKey, rootToken, ...keys]) expect(written).not.toContain(secret.trim());
  expect(keys[0]?.trim()).not.toBe(unsealKey);
});
