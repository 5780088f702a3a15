import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { buildAgent, type BuiltAgent } from '../../stress/build-agent.js';
import { createTestAgent } from '../support/test-agent.js';

let built: BuiltAgent;
let agent: Agent;
let origin = '';
beforeAll(async () => {
  built = await buildAgent();
  const lines = Array.from({ length: 2_000 }, (_, at) => ({ kind: 'job', object: { ID: `job-${at}` } }));
  agent = await createTestAgent({ lines });
  origin = await agent.listen();
});
afterAll(async () => {
  await agent.close();
  built.remove();
});

it('exits quietly when the reader closes its output', async () => {
  const child = spawn(process.execPath, [built.main, 'job', 'status', '--json'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      SCHEDULER_ADDR: origin,
    },
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
});

it.each([['job', 'status'], ['help'], ['version'], ['export', '--address']])(
  'says that its output cannot be written: %s %s',
  async (...args) => {
    const full = openSync('/dev/full', 'w');
    const words = args[0] === 'export' ? [...args, origin] : args;
    const child = spawn(process.execPath, [built.main, ...words], {
      stdio: ['ignore', full, 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        SCHEDULER_ADDR: origin,
      },
    });
    closeSync(full);
    let complaints = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    const code = await new Promise((resolve) => child.once('close', resolve));
    const said = 'The output cannot be written: ENOSPC: no space left on device, write.\n';
    expect({ code, complaints }).toEqual({ code: 1, complaints: said });
  },
);

it('operator servers queries the named agent if there is no etcd', async () => {
  const child = spawn(process.execPath, [built.main, 'operator', 'servers', '--json'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      SCHEDULER_ADDR: origin,
    },
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, said.err]).toEqual([0, expect.stringContaining('--etcd-endpoint')]);
  expect(JSON.parse(said.out)).toMatchObject({ Leader: agent.rpcAddress(), Members: [{ Status: 'alive' }] });
});
