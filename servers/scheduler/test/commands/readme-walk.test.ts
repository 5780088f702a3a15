import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJobFile } from '@tamis/scheduler-command/job-file/read-job-file.js';
import { buildAgent, type BuiltAgent } from '../../stress/build-agent.js';
import { runCommand } from '../support/run-command.js';
import { matchRendered, readWalk, splitWords } from './readme-walk.js';

const root = new URL('../../../../', import.meta.url);
/** What is in the package is where it is there. */
const packed = new URL('servers/scheduler/', root);
const walk = new URL('docs/command.md', packed);

/** The agent as the walk starts it, on ports of its own. */
async function startAgent(main: string): Promise<{ readonly child: ChildProcess; readonly origin: string }> {
  const line = /^scheduler (agent .*?) +#/m.exec(readFileSync(walk, 'utf8'))?.[1] ?? '';
  // Other agents of this machine begin where this one would, and above 32768 any connection may have a port.
  const first = String(10_000 + (process.pid % 450) * 20);
  const tasks = ['--min-dynamic-port', first, '--max-dynamic-port', String(Number(first) + 19)];
  const ports = ['--port', '0', '--rpc-port', '0', '--serf-port', '0', '--log-level', 'error', ...tasks];
  const child = spawn(process.execPath, [main, ...line.split(' '), ...ports], {
    cwd: fileURLToPath(root),
    env: {
      PATH: process.env['PATH'] ?? '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const origin = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.once('exit', () => reject(new Error(`the agent ended: ${said}`)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /Listening on (http:\/\/[\d.:]+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { child, origin };
}

async function statusesOfNodes(origin: string): Promise<readonly string[]> {
  const nodes = (await (await fetch(`${origin}/v1/nodes`)).json()) as { readonly Status: string }[];
  return nodes.map(({ Status }) => Status);
}

// Step by step, as its reader goes.
describe('the walk with the command', { shuffle: false }, () => {
  let built: BuiltAgent;
  let agent: { readonly child: ChildProcess; readonly origin: string };
  beforeAll(async () => {
    built = await buildAgent();
    agent = await startAgent(built.main);
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => agent.child.once('exit', resolve));
    agent.child.kill('SIGTERM');
    await ended;
    built.remove();
  });

  /** IDs of the walk with those of this run. */
  const ids = new Map<string, string>();
  const steps = readWalk(walk);

  it('has commands', () => expect(steps.length).toBeGreaterThan(12));

  // It registers when the server listens already: a reader of the document types more slowly.
  it('finds the node of the agent ready', async () => {
    await expect.poll(() => statusesOfNodes(agent.origin)).toEqual(['ready']);
  });

  it.each(steps)('$command', async ({ command, rendered: printed }) => {
    const [program, ...words] = splitWords(command);
    expect(program).toBe('scheduler');
    const args = words.map(
      (word) => ids.get(word) ?? (word.startsWith('examples/') ? fileURLToPath(new URL(word, packed)) : word),
    );
    const { code, err, out } = await runCommand(args, { origin: agent.origin });
    // The reason for an empty list is printed separately: a program that reads the list does not get it.
    if (out !== '') expect(err).toBe('');
    matchRendered(printed, out + err, ids);
    expect(code).toBe(printed.some((line) => line.startsWith('failed: ')) ? 2 : 0);
  });
});

describe('the examples', () => {
  const folder = new URL('examples/jobs/', packed);
  it.each(readdirSync(folder))('%s is a job', (name) => {
    expect(readJobFile(readFileSync(new URL(name, folder), 'utf8'), name)).toHaveProperty('TaskGroups');
  });
});
