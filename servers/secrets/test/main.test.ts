import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer, type BuiltServer } from '../stress/build-server.js';

let built: BuiltServer;
let directory: string;
beforeAll(async () => {
  [built, directory] = await Promise.all([buildServer(), mkdtemp(join(tmpdir(), 'secrets-main-'))]);
});
afterAll(async () => {
  built.remove();
  await rm(directory, { recursive: true });
});

interface Run {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Resolves with everything said so far once `pattern` has been said, on either stream. */
  said(pattern: RegExp): Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/** The command as an operator runs it, with nothing of this process's environment but what it needs. */
function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Run {
  const child = spawn(process.execPath, [built.main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...environment },
  });
  let output = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      for (const watch of watchers) watch();
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  );
  return {
    child,
    ended,
    said: (pattern) =>
      Promise.race([
        new Promise<string>((resolve) => {
          const watch = (): void => {
            if (!pattern.test(output)) return;
            watchers.delete(watch);
            resolve(output);
          };
          watchers.add(watch);
          watch();
        }),
        ended.then(({ output: all }) => {
          throw new Error(`It ended without saying ${String(pattern)}: ${all}`);
        }),
      ]),
  };
}

async function file(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

const config = (header: string): string => `
  storage "lmdb" { path = ${JSON.stringify(join(directory, 'data'))} }
  audit "file" { path = ${JSON.stringify(join(directory, 'audit.log'))} }
  listener "tcp" {
    address = "127.0.0.1:0"
    tls_disable = true
    custom_response_headers { "default" = { "X-A" = [${JSON.stringify(header)}] } }
  }`;

describe('the command', () => {
  it('starts, is initialized and unsealed, reloads what is right and keeps it when it is wrong, and stops', async () => {
    const path = await file('secrets.hcl', config('one'));
    const server = run(['server', '--config', path]);
    const [, address = ''] = /Listening on (\S+)/.exec(await server.said(/sealed: secrets init/)) ?? [];
    const { output } = await run(['init', '--address', address]).ended;
    const [, key = ''] = /Unseal key: (\S+)/.exec(output) ?? [];
    const [, token = ''] = /Root token: (\S+)/.exec(output) ?? [];
    expect((await run(['unseal'], { SECRETS_ADDR: address, SECRETS_UNSEAL_KEY: key }).ended).code).toBe(0);
    const wrong = { SECRETS_ADDR: address.replace('http://', ''), SECRETS_UNSEAL_KEY: key };
    expect((await run(['unseal'], wrong).ended).output).toContain('address must be a URL such as http://');
    const header = async (): Promise<string | null> => {
      const response = await fetch(`${address}/v1/auth/token/lookup-self`, {
        headers: { 'X-Secrets-Token': token },
      });
      expect(response.status).toBe(200);
      return response.headers.get('x-a');
    };
    expect(await header()).toBe('one');
    await file('secrets.hcl', config('two'));
    server.child.kill('SIGHUP');
    await server.said(/have been read again/);
    expect(await header()).toBe('two');
    await file('secrets.hcl', config('three\r\nX-B: 1'));
    server.child.kill('SIGHUP');
    const last = (await server.said(/nothing has changed/)).split('\n').slice(0, -1).at(-1) ?? '';
    expect(JSON.parse(last)).toEqual({
      level: 'error',
      time: expect.stringMatching(/^20\d\d-.*Z$/),
      reason: expect.stringContaining('X-A'),
      msg: 'the configuration is invalid: nothing has changed',
    });
    expect(await header()).toBe('two');
    server.child.kill('SIGTERM');
    const { code, output: said } = await server.ended;
    expect(code).toBe(0);
    const log = await readFile(join(directory, 'audit.log'), 'utf8');
    for (const secret of [key, token]) {
      expect(said).not.toContain(secret);
      expect(log).not.toContain(secret);
    }
    expect(log.trim().split('\n')).toHaveLength(8);
  });

  it('says which file is not there, and that a store is not moved onto itself', async () => {
    const nowhere = join(directory, 'nope', 'x.hcl');
    const saidOf = async (...args: string[]): Promise<string> => (await run(args).ended).output;
    expect(await saidOf('server', '--config', nowhere)).toContain(
      `There is no ${nowhere}, and no directory to make it in.`,
    );
    const missing = join(directory, 'nope.hcl');
    expect(await saidOf('server', '--config', missing)).toContain(`There is no ${missing}.`);
    const store = `storage "lmdb" { path = ${JSON.stringify(join(directory, 'one'))} }`;
    const [from, to] = [await file('from.hcl', store), await file('to.hcl', store)];
    expect(await saidOf('operator', 'migrate', '--from', from, '--config', to)).toContain('name one store');
  });

  it('makes no store where the audit log cannot be made', async () => {
    const [store, log] = [join(directory, 'early'), join(directory, 'none', 'audit.log')];
    const path = await file(
      'early.hcl',
      `storage "lmdb" { path = ${JSON.stringify(store)} }\naudit "file" { path = ${JSON.stringify(log)} }`,
    );
    const { code, output } = await run(['server', '--config', path]).ended;
    expect([code, output]).toEqual([1, expect.stringContaining(`There is no ${log}`)]);
    await expect(stat(store)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.skipIf(process.platform !== 'linux')('says where it cannot make a store', async () => {
    const path = await file('nowhere.hcl', 'storage "lmdb" { path = "/sys/none" }');
    expect(await run(['server', '--config', path]).ended).toEqual({
      code: 1,
      output: expect.stringMatching(/^\/sys\/none cannot be the store: .*: name one that this user can make/),
    });
  });

  it('says how a server for trying out gets another port', async () => {
    const owner = createServer().listen(0, '127.0.0.1');
    await once(owner, 'listening');
    const taken = `127.0.0.1:${String((owner.address() as AddressInfo).port)}`;
    const { code, output } = await run(['server', '--dev', '--dev-listen-address', taken]).ended;
    owner.close();
    expect([code, output]).toEqual([1, expect.stringContaining('with --dev-listen-address')]);
  });

  it('prints the root token of a server for trying out, once', async () => {
    const path = await file('dev.hcl', 'listener "tcp" { address = "127.0.0.1:0"  tls_disable = true }');
    const made = run(['server', '--dev', '--config', path]);
    const [, token = ''] = /Root token +(\S+)/.exec(await made.said(/Root token/)) ?? [];
    const [, address = ''] = /Listening on (\S+)/.exec(await made.said(/Listening/)) ?? [];
    const response = await fetch(`${address}/v1/auth/token/lookup-self`, {
      headers: { 'X-Secrets-Token': token },
    });
    expect(response.status).toBe(200);
    made.child.kill('SIGTERM');
    expect((await made.ended).output.split(token)).toHaveLength(2);
  });

  it.each([
    ['a status that is none', 'custom_response_headers { "6xx" = { "X-A" = ["a"] } }', '"6xx" is no status'],
    [
      'a certificate that is not there',
      'tls_disable = false tls_cert_file = "/none" tls_key_file = "/none"',
      'There is no /none',
    ],
  ])('does not start with %s', async (_, inside, message) => {
    const disable = inside.includes('tls_disable') ? '' : 'tls_disable = true';
    const path = await file('bad.hcl', `listener "tcp" { address = "127.0.0.1:0" ${disable} ${inside} }`);
    const { code, output } = await run(['server', '--dev', '--config', path]).ended;
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
    expect(output).not.toMatch(/\n\s+at /);
  });
});
