import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildServer, type BuiltServer } from '../stress/build-server.js';
import { startServerProcess } from '../stress/server-process.js';

let built: BuiltServer;
let directory: string;
beforeAll(async () => {
  [built, directory] = await Promise.all([buildServer(), mkdtemp(join(tmpdir(), 'secrets-environment-'))]);
});
afterAll(async () => {
  built.remove();
  await rm(directory, { recursive: true });
});

it('secrets of the environment are in no report of the process', async () => {
  const file = join(directory, 'server.hcl');
  await writeFile(file, 'listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }');
  const secrets = {
    CLOUD_CLIENT_SECRET: 'client-secret-of-the-environment',
    SECRETS_DEV_ROOT_TOKEN_ID: 'root-token-of-the-environment',
    SECRETS_UNSEAL_KEY: 'ab'.repeat(32),
  };
  const server = startServerProcess(built.main, ['--dev', '--config', file], {
    ...secrets,
    LEFT_ALONE: 'of no interest',
    NODE_OPTIONS: `--report-on-signal --report-directory=${directory}`,
  });
  const [address = ''] = (await server.listening) ?? [];
  const own = await fetch(`${address}/v1/auth/token/lookup-self`, {
    headers: { 'X-Secrets-Token': secrets.SECRETS_DEV_ROOT_TOKEN_ID },
  });
  expect(own.status).toBe(200);
  server.signal('SIGUSR2');
  await server.wrote(/report completed/);
  await server.kill();
  const name = (await readdir(directory)).find((entry) => entry.startsWith('report.'));
  const report = await readFile(join(directory, name ?? 'no report'), 'utf8');
  expect(report).toContain('of no interest');
  for (const secret of Object.values(secrets)) {
    expect(report).not.toContain(secret);
    expect(server.output()).not.toContain(secret);
  }
});
