import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildServer, type BuiltServer } from '../stress/build-server.js';
import { startServerProcess, type ServerProcess } from '../stress/server-process.js';

/** The built server as an operator meets it: signals, files of secrets, a second process. */

let built: BuiltServer;
let directory: string;
const running: ServerProcess[] = [];

beforeAll(async () => {
  built = await buildServer();
});
afterAll(() => built.remove());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'secrets-signals-'));
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.kill()));
  await rm(directory, { recursive: true });
});

const at = (name: string): string => join(directory, name);
const listener = 'listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }\n';
const audited = (): string => `${listener}audit "file" { path = ${JSON.stringify(at('audit.log'))} }\n`;
const stored = (): string => `${listener}storage "lmdb" { path = ${JSON.stringify(at('data'))} }\n`;

async function start(
  text: string,
  environment: Readonly<Record<string, string>> = {},
  args: readonly string[] = ['--dev'],
): Promise<{ server: ServerProcess; address: string }> {
  await writeFile(at('server.hcl'), text);
  const server = startServerProcess(built.main, [...args, '--config', at('server.hcl')], environment);
  running.push(server);
  const [address = ''] = (await server.listening) ?? [];
  return { server, address };
}

const status = async (address: string, token = 'none'): Promise<number> =>
  (await fetch(`${address}/v1/auth/token/lookup-self`, { headers: { 'X-Secrets-Token': token } })).status;
const lines = async (name: string): Promise<number> =>
  (await readFile(at(name), 'utf8')).split('\n').length - 1;

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

describe('SIGUSR1', () => {
  it('is taken before anything is loaded', async () => {
    const spy = fileURLToPath(new URL('../../../test/support/first-signal.cjs', import.meta.url));
    const run = promisify(execFile)(process.execPath, ['--require', spy, built.main, '--version']);
    expect((await run).stderr).toBe('loaded before: 0\n');
  });

  it('reopens the audit log, and opens no debugger', async () => {
    const { server, address } = await start(audited());
    const hadDebugger = await isListening(9_229);
    await status(address);
    await rename(at('audit.log'), at('audit.log.1'));
    server.signal('SIGUSR1');
    await server.wrote(/the audit log was reopened/);
    await status(address);
    expect([await lines('audit.log.1'), await lines('audit.log')]).toEqual([2, 2]);
    expect(await isListening(9_229)).toBe(hadDebugger);
    expect(server.output()).not.toMatch(/debugger/i);
  });
});

describe('SIGTERM', () => {
  it('ends the server as well while it starts', async () => {
    const early = fileURLToPath(new URL('support/early-stop.mjs', import.meta.url));
    const { server } = await start(audited(), { NODE_OPTIONS: `--import ${early}` });
    expect(await server.ended).toBe(0);
  });
});

describe('SIGHUP', () => {
  it('reopens the audit log even if the file is invalid', async () => {
    const { server, address } = await start(audited());
    await status(address);
    await rename(at('audit.log'), at('audit.log.1'));
    await writeFile(at('server.hcl'), 'listener "tcp" {');
    server.signal('SIGHUP');
    await server.wrote(/nothing has changed/);
    await status(address);
    expect([await lines('audit.log.1'), await lines('audit.log')]).toEqual([2, 2]);
  });

  it('takes over the level of the log, and names what takes a restart', async () => {
    const { server, address } = await start(audited());
    const other = audited().replace('audit.log', 'other.log');
    await writeFile(
      at('server.hcl'),
      `${other}log_level = "warn"\nauth "cloud" { jwks_cooldown = "5s" }\nui = false\n`,
    );
    server.signal('SIGHUP');
    await server.wrote(/ui has changed in the file/);
    for (const setting of ['audit', 'auth.jwks_cooldown', 'ui']) {
      expect(server.output()).toContain(`${setting} has changed in the file: that takes a restart`);
    }
    expect(server.output()).not.toContain('storage has changed');
    const before = server.output().length;
    await status(address, 'unknown');
    await writeFile(at('server.hcl'), `${audited()}log_level = "info"`);
    server.signal('SIGHUP');
    await server.wrote(/have been read again/);
    expect(server.output().slice(before)).not.toContain('request refused');
    await status(address, 'unknown');
    await server.wrote(/request refused/);
  });
});

describe('a store', () => {
  it('is not opened by a second process, and a kill leaves nothing in the way', async () => {
    const { server } = await start(stored(), {}, []);
    const second = startServerProcess(built.main, ['--config', at('server.hcl')]);
    expect([await second.ended, second.output()]).toEqual([
      1,
      expect.stringMatching(new RegExp(`is in use by process ${server.pid} since \\d{4}-\\d\\d-\\d\\dT`)),
    ]);
    await server.kill();
    const third = await start(stored(), {}, []);
    expect(third.address).toMatch(/^http/);
    third.server.signal('SIGTERM');
    expect(await third.server.ended).toBe(0);
    expect((await start(stored(), {}, [])).address).toMatch(/^http/);
  });
});

describe('secrets in files', () => {
  it('are read where a variable names them', async () => {
    const token = randomBytes(12).toString('hex');
    await writeFile(at('token'), `${token}\n`, { mode: 0o600 });
    const { server, address } = await start(listener, { SECRETS_DEV_ROOT_TOKEN_ID_FILE: at('token') });
    expect(await status(address, token)).toBe(200);
    expect(server.output()).not.toContain(token);
  });

  it('fill the configuration of the method', async () => {
    await writeFile(at('tenant'), 'tenant.example\n', { mode: 0o600 });
    await writeFile(at('resource'), 'https://resource.example/', { mode: 0o600 });
    const { address } = await start(listener, {
      CLOUD_TENANT_ID_FILE: at('tenant'),
      CLOUD_AD_RESOURCE_FILE: at('resource'),
      SECRETS_DEV_ROOT_TOKEN_ID: 'root-token-of-this-test',
    });
    const response = await fetch(`${address}/v1/auth/cloud/config`, {
      method: 'PUT',
      headers: { 'X-Secrets-Token': 'root-token-of-this-test' },
      body: '{"client_id":"x"}',
    });
    expect(response.status).toBe(204);
  });

  it.each([
    ['that everybody may read', 0o644, 'has the mode 0644: everybody may read it'],
    ['that others may write', 0o660, 'has the mode 0660: others than its owner may write it'],
  ])('are refused %s', async (_, mode, problem) => {
    await writeFile(at('key'), 'ab'.repeat(32));
    await chmod(at('key'), mode);
    const files = [
      [listener, { CLOUD_CLIENT_SECRET_FILE: at('key') }, ['--dev']],
      [stored(), { SECRETS_UNSEAL_KEY_FILE: at('key') }, []],
    ] as const;
    for (const [text, environment, args] of files) {
      const { server } = await start(text, environment, args);
      expect(await server.ended).toBe(1);
      expect(server.output()).toContain(problem);
      expect(server.output()).not.toContain('abab');
    }
  });

  it('are rejected together with the variable itself, and if they are missing', async () => {
    const both = await start(listener, { CLOUD_CLIENT_SECRET: 'a', CLOUD_CLIENT_SECRET_FILE: at('none') });
    expect(await both.server.ended).toBe(1);
    expect(both.server.output()).toContain('CLOUD_CLIENT_SECRET and CLOUD_CLIENT_SECRET_FILE are both set');
    const missing = await start(listener, { CLOUD_CLIENT_SECRET_FILE: at('none') });
    expect(await missing.server.ended).toBe(1);
    expect(missing.server.output()).toContain(`There is no ${at('none')}`);
  });

  it('unseal a store at its start', async () => {
    const { server, address } = await start(stored(), {}, []);
    const made = (await (await fetch(`${address}/v1/sys/init`, { method: 'PUT', body: '{}' })).json()) as {
      keys_base64: readonly string[];
      root_token: string;
    };
    server.signal('SIGTERM');
    await server.ended;
    await writeFile(at('key'), made.keys_base64[0] ?? '', { mode: 0o600 });
    const again = await start(stored(), { SECRETS_UNSEAL_KEY_FILE: at('key') }, []);
    expect(await status(again.address, made.root_token)).toBe(200);
    expect(again.server.output()).toContain('was unsealed at its start');
    expect((await stat(at('data/secrets.mdb'))).mode & 0o777).toBe(0o600);
  });
});
