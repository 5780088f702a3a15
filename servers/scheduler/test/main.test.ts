import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAgent, type BuiltAgent } from '../stress/build-agent.js';

const folder = mkdtempSync(join(tmpdir(), 'scheduler-main-'));
const free = ['--port', '0', '--rpc-port', '0', '--serf-port', '0'];
const running = new Set<ChildProcess>();

let built: BuiltAgent;
beforeAll(async () => {
  built = await buildAgent();
});
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
  built.remove();
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly complaints: string;
}

/** Starts the program; `seen` resolves when its output holds a text. */
function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  loaders: readonly string[] = [],
) {
  const loading = loaders.flatMap((loader) => ['--import', loader]);
  const child = spawn(process.execPath, [...loading, built.main, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  running.add(child);
  let out = '';
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, out, complaints });
    });
  });
  const seen = (text: string): Promise<string> => found(child.stdout, () => out, text);
  const logged = (text: string): Promise<string> => found(child.stderr, () => complaints, text);
  return { child, ended, seen, logged, complaints: () => complaints };

  function found(stream: Readable, said: () => string, text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => void (said().includes(text) && resolve(said()));
      stream.on('data', look);
      void ended.then(() => reject(new Error(`ended without ${text}: ${complaints}`)));
      look();
    });
  }
}

/** Messages of a server about filters of other users, by the filter. Tests have hints everywhere, so a process is queried. */
const meant: Readonly<Record<string, string>> = {
  'Meta.owner = "search"': 'Use == for equality.',
  'Status == running && Priority == 50': 'Join comparisons with `and` or `or`, in lower case.',
  'Status == running || Priority == 50': 'Join comparisons with `and` or `or`, in lower case.',
  'Status == running AND Priority == 50': 'Join comparisons with `and` or `or`, in lower case.',
  "Status == 'running'": 'Use straight double quotes or backticks.',
  'Status == “running”': 'Use straight double quotes or backticks.',
  'ID startswith "web"': 'Write this as starts with "web".',
};

/** Has a process say of each function that it makes of code how long that is. */
const reportCode = `
  const vm = process.getBuiltinModule('node:vm');
  const compile = vm.compileFunction;
  vm.compileFunction = (code, ...rest) => {
    process.stderr.write('code of ' + code.length + ' characters');
    return compile(code, ...rest);
  };`;

async function hintOf(address: string, filter: string): Promise<string | undefined> {
  const response = await fetch(`${address}/v1/jobs?filter=${encodeURIComponent(filter)}`);
  return /^ {2}hint: (.*)/m.exec(await response.text())?.[1];
}

let requests = 0;

/** Counts what passes a filter, and returns what the process has complained of since it began. */
async function statusOf(address: string, { complaints }: { complaints(): string }): Promise<string> {
  requests += 1;
  const filter = encodeURIComponent('Meta.owner != "nobody" and ID != "none"');
  await (await fetch(`${address}/v1/jobs?filter=${filter}&facets=Type&asked=${requests}`)).arrayBuffer();
  return complaints();
}

describe('the program', () => {
  it('reports the mistakes of all sources and does not start', async () => {
    writeFileSync(join(folder, 'wrong.hcl'), 'regoin = "west"\nports { http = "x" }\nlog_level = "loud"');
    const { ended } = start(['agent', '--config', 'wrong.hcl'], { SCHEDULER_PORTS_RPC: 'y' });
    expect(await ended).toEqual({
      code: 1,
      out: '',
      complaints:
        'wrong.hcl:1:1: regoin: there is no such setting: did you mean region?\n' +
        'wrong.hcl:2:16: ports.http: expected a whole number from 0 to 65535, found "x"\n' +
        'wrong.hcl:3:13: log_level: expected one of "trace", "debug", "info", "warn", "error", "silent", found "loud"\n' +
        'SCHEDULER_PORTS_RPC: ports.rpc: expected a whole number from 0 to 65535, found "y"\n',
    });
  });

  it('opens no debugger for a signal, takes secrets from files, explains filters, and compiles them', async () => {
    writeFileSync(join(folder, 'key'), 'rpc-s3cret\n', { mode: 0o644 });
    const env = { SCHEDULER_MEMBERSHIP_SERF_RPC_AUTH_FILE: 'key' };
    const refused = await start(['agent', ...free], env).ended;
    expect(refused).toMatchObject({
      code: 1,
      complaints:
        'SCHEDULER_MEMBERSHIP_SERF_RPC_AUTH_FILE: key holds secrets and has the mode 0644: everybody may read it. Run chmod 600 on it\n',
    });
    chmodSync(join(folder, 'key'), 0o600);
    const agent = start(['agent', ...free], env, [`data:text/javascript,${encodeURIComponent(reportCode)}`]);
    const [address = ''] = /http:\/\/[\d.:]+/.exec(await agent.seen('Listening on http')) ?? [];
    for (let signals = 0; signals < 3; signals += 1) agent.child.kill('SIGUSR1');
    expect((await fetch(`${address}/v1/agent/health`)).status).toBe(200);
    const hints = Object.keys(meant).map((filter) => hintOf(address, filter));
    expect(await Promise.all(hints)).toEqual(Object.values(meant));
    // A first function is tried on a constant; a longer one comes from a filter that is evaluated on many rows.
    await expect.poll(() => statusOf(address, agent)).toMatch(/code of \d{3,} characters/);
    agent.child.kill('SIGTERM');
    const { code, out, complaints } = await agent.ended;
    expect(code).toBe(0);
    expect(complaints).toContain('SIGUSR1: nothing to open again');
    expect(complaints).not.toMatch(/[Dd]ebugger/);
    expect(out + complaints).not.toContain('s3cret');
  });

  it('also ends if stopped while it starts', async () => {
    const agent = start(['agent', '--data-dir', 'early', '--client', ...free]);
    await agent.logged('"module":"rpc","msg":"Server listening');
    agent.child.kill('SIGTERM');
    const { code, complaints } = await agent.ended;
    expect(code).toBe(0);
    expect(complaints).toMatch(/"signal":"SIGTERM","msg":"agent stopping"[^]*"agent stopped"/);
  });

  it('says in one line that there is no file to import, and makes no store', async () => {
    const { code, complaints } = await start([
      'agent',
      '--data-dir',
      'none',
      '--import',
      'no.ndjson',
      ...free,
    ]).ended;
    expect(code).toBe(1);
    expect(complaints.split('\n').filter((line) => !line.includes('agent starting'))).toEqual([
      'There is no file no.ndjson.',
      '',
    ]);
    expect(existsSync(join(folder, 'none'))).toBe(false);
  });

  it('fills a store before it starts, and only once', async () => {
    const given = ['agent', '--data-dir', 'filled', '--import', 'cluster.ndjson', ...free];
    writeFileSync(join(folder, 'cluster.ndjson'), '{"kind":"job","object":{"ID":"web","ModifyIndex":7}}\n');
    for (const said of ['"job":1', 'not imported: there is a cluster already']) {
      const agent = start(given);
      const [address = ''] = /http:\/\/[\d.:]+/.exec(await agent.seen('Listening on http')) ?? [];
      expect((await fetch(`${address}/v1/job/web`)).status).toBe(200);
      agent.child.kill('SIGTERM');
      const { code, complaints } = await agent.ended;
      expect(code).toBe(0);
      expect(complaints).toContain(said);
    }
  });

  it('fills a store, serves it until it is stopped, and exports it again', async () => {
    const line =
      '{"kind":"job","object":{"ID":"web","SubmitTime":1645230445788556001,"CreateIndex":5,"ModifyIndex":7}}';
    writeFileSync(join(folder, 'in.ndjson'), `${line}\n`);
    expect(await start(['import', 'in.ndjson', '--data-dir', 'store', '--json']).ended).toMatchObject({
      code: 0,
      out: '{"imported":{"namespace":0,"node":0,"job":1,"deployment":0,"evaluation":0,"allocation":0},"index":7}\n',
    });

    const settings = join(folder, 'agent.hcl');
    writeFileSync(settings, 'datacenter = "one"\nlog_level = "info"\nclient { meta { a = "b" } }\n');
    const agent = start(['agent', '--data-dir', 'store', '--config', settings, ...free]);
    const [address = ''] = /http:\/\/[\d.:]+/.exec(await agent.seen('Listening on http')) ?? [];
    const response = await fetch(`${address}/v1/job/web`);
    expect(await response.text()).toContain('"SubmitTime":1645230445788556001');
    writeFileSync(settings, 'datacenter = "two"\nlog_level = "info"\nenable_debug = true\n');
    agent.child.kill('SIGHUP');
    const reported = await agent.logged('enable_debug has changed in the configuration');
    expect([...reported.matchAll(/"setting":"([^"]+)"/g)].map(([, name]) => name)).toEqual([
      ...['client.meta', 'datacenter', 'enable_debug'],
    ]);
    writeFileSync(settings, 'datacenter = ');
    agent.child.kill('SIGHUP');
    await agent.logged('the configuration cannot be used');
    agent.child.kill('SIGTERM');
    const { code, complaints } = await agent.ended;
    expect(code).toBe(0);
    expect(complaints).toMatch(
      /"agent starting"[^]*"signal":"SIGTERM","msg":"agent stopping"[^]*"agent stopped"/,
    );

    expect((await start(['export', '--data-dir', 'store', '-o', 'out.ndjson']).ended).code).toBe(0);
    expect(readFileSync(join(folder, 'out.ndjson'), 'utf8')).toContain('"SubmitTime":1645230445788556001');
    expect(statSync(join(folder, 'out.ndjson')).mode & 0o777).toBe(0o600);
  });
});
