import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { commandTable } from '../../src/program/local/command-table.js';
import { findCommand } from '@tamis/scheduler-command/find-command.js';
import { listCommands } from '@tamis/scheduler-command/views/list-commands.js';
import { listPaths } from '@tamis/scheduler-command/list-paths.js';
import { insteadOf } from '@tamis/scheduler-command/unsupported-commands.js';
import { createAclCluster } from '../support/acl-cluster.js';
import { createTestAgent } from '../support/test-agent.js';
import { runCommand, type CommandOptions, type CommandResult } from '../support/run-command.js';

/** A name that would clear the screen, turn the line around and hide itself. */
const hostile = 'evil\u001b[2J\u202eexe.\u0007\u200btxt';
const ids = ['3f2a0000-0000-4000-8000-000000000001', '3f2a0000-0000-4000-8000-000000000002'];

let agent: Agent;
let origin = '';
beforeAll(async () => {
  const job = (ID: string, more: object = {}) => ({
    kind: 'job',
    object: { ID, Name: ID, Type: 'service', ...more },
  });
  agent = await createTestAgent({
    lines: [
      job('web', { Status: 'running', Priority: 70 }),
      job('web-canary', { Status: 'dead' }),
      job(hostile, { Status: 'pending' }),
      job('elsewhere', { Namespace: 'apps' }),
      job('界'.repeat(100)),
      { kind: 'namespace', object: { Name: 'apps' } },
      ...ids.map((ID, at) => ({
        kind: 'node',
        object: { ID, Name: `n${at}`, Status: 'ready', Datacenter: 'dc1' },
      })),
    ],
  });
  origin = await agent.listen();
});
afterAll(() => agent.close());

const run = (args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> =>
  runCommand(args, { origin, ...options });

describe('lists', () => {
  it('shows what fits a filter, and a page of a limit', async () => {
    const { out } = await run(['job', 'status', '--filter', 'Priority >= 60']);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^ID +TYPE +PRIORITY +STATUS/) as string,
      expect.stringMatching(/^web +service +70 +running/) as string,
      '',
    ]);
    const limited = await run(['job', 'status', '--limit', '1']);
    expect(limited.out.split('\n')).toHaveLength(3);
    expect(limited.err).toBe('The first 1. More: --limit N, or --filter\n');
  });

  it('writes the list as JSON, whole, in a pipe and on a terminal', async () => {
    for (const columns of [undefined, 40]) {
      const { out } = await run(['job', 'status', '--json'], columns === undefined ? {} : { columns });
      expect((JSON.parse(out) as { ID: string }[]).map(({ ID }) => ID)).toContain(hostile);
    }
    expect((await run(['job', 'status', '--json', '--filter', 'ID == "none"'])).out).toBe('[]\n');
  });

  it.each([
    [
      ['job', 'list', '--filter', 'Status == "runing"'],
      '  Status == "runing": there are "" (1), "dead" (1), "pending" (1), "running" (1)\n  hint: did you mean Status == "running"\n',
    ],
    [
      ['node', 'status', '--filter', 'Datacenter == "dc2"'],
      '  Datacenter == "dc2": there are "dc1" (2)\n  hint: did you mean Datacenter == "dc1"\n',
    ],
    [['node', 'list', '--filter', 'SchedulingEligibility == "x" and Name == "n0"'], null],
    [['alloc', 'list', '--filter', 'ClientStatus == "failed"'], ''],
  ])('reports why a filter matches nothing: %j', async (args, why) => {
    const { code, err, out } = await run(args);
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err.startsWith('Nothing matches the filter.\n')).toBe(true);
    if (why !== null) expect(err).toBe(`Nothing matches the filter.\n${why}`);
  });

  it('reports that a drain without a leader waits', async () => {
    const { code, err, out } = await run([
      'node',
      'drain',
      '--enable',
      '3f2a0000-0000-4000-8000-000000000002',
    ]);
    expect({ code, out }).toEqual({ code: 0, out: '3f2a0000 drains\n' });
    expect(err).toContain('warning: its client has not come since the node was imported');
  });

  it('reports the number of rows that its values come from', async () => {
    const job = (_: unknown, at: number) => ({ kind: 'job', object: { ID: `j${at}`, Priority: 1 + at } });
    const many = await createTestAgent({ lines: Array.from({ length: 1_001 }, job) });
    const there = { origin: await many.listen() };
    expect((await runCommand(['job', 'list', '--filter', 'Type == x'], there)).err).toContain(
      ' Type == "x": in 1000 of 1001 rows there are "" (1000)\n',
    );
    expect((await runCommand(['job', 'list', '--filter', 'Priority > 2000'], there)).err).toMatch(
      /: in 1000 of 1001 rows there are values from 1 to \d+\n/,
    );
    await many.close();
  });

  it('says what to do where there is nothing without a filter either', async () => {
    expect((await run(['alloc', 'list'])).err).toBe('No allocations: nothing has been placed.\n');
  });

  it('forgets a node', async () => {
    const spare = await createTestAgent({
      lines: [{ kind: 'node', object: { ID: ids[0], Name: 'gone', Status: 'down' } }],
    });
    const there = { origin: await spare.listen() };
    expect((await runCommand(['node', 'purge', '3f2a'], there)).out).toBe('3f2a0000 forgotten\n');
    expect((await runCommand(['node', 'list', '--json'], there)).out).toBe('[]\n');
    await spare.close();
  });

  it('shows a choice of the jobs by status alone too', async () => {
    const { out } = await run(['status', '--filter', '"web" in ID', '--sort', '-Priority']);
    expect(out.split('\n').map((line) => line.split(' ')[0])).toEqual(['ID', 'web', 'web-canary', '']);
  });

  it.each([
    ['status', 'web', '--filter', 'Priority >= 60'],
    ['job', 'status', 'web', '--sort', 'Priority'],
    ['node', 'status', '--limit', '1', '3f2a'],
  ])('rejects a filter together with an ID: %s %s', async (...args) => {
    const { code, err, out } = await run(args);
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toMatch(/^error: --(?:filter|sort|limit) is for lists: leave out "\w+", or --/);
  });

  it('shows the mistake in a filter with its place and hint', async () => {
    const { code, err, out } = await run(['job', 'status', '--filter', 'Statu == "running"']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(
      '  1 | Statu == "running"\n    | ^^^^^ there is no such field\n  hint: did you mean Status',
    );
  });

  it.each([24, 40, 80, 140])(
    'stays within %i columns and keeps its hands off the terminal',
    async (columns) => {
      const { out } = await run(['status'], { columns, env: { NO_COLOR: '1' } });
      const lines = out.split('\n');
      expect(lines.length).toBeGreaterThan(4);
      // East Asian characters take two columns.
      const widths = lines.map((line) => [...line].reduce((sum, one) => sum + (one === '界' ? 2 : 1), 0));
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
      expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u200b]/u);
    },
  );

  it('cuts nothing in a pipe, and shows a hostile name as text', async () => {
    const { out } = await run(['status']);
    expect(out).toContain('界'.repeat(100));
    expect(out).toContain('evil\\x1b[2J\\u202eexe.\\x07\\u200btxt');
  });

  it('has colours on a terminal, and none with NO_COLOR or in a pipe', async () => {
    expect((await run(['node', 'status'], { columns: 80 })).out).toContain('\u001b[32mready');
    expect((await run(['node', 'status'], { columns: 80, env: { NO_COLOR: '1' } })).out).not.toContain(
      '\u001b',
    );
    expect((await run(['node', 'status'])).out).not.toContain('\u001b');
  });

  it('lists every namespace with its column', async () => {
    expect((await run(['job', 'status'])).out).not.toContain('elsewhere');
    const { out } = await run(['job', 'status', '-n', '*']);
    expect(out).toMatch(/^ID +NAMESPACE +TYPE/);
    expect(out).toMatch(/^elsewhere +apps/m);
  });
});

describe('one object by its ID', () => {
  it('takes the beginning of an ID, and lists those that begin so', async () => {
    expect((await run(['node', 'status', '3f2a0000-0000-4000-8000-000000000002'])).out).toMatch(
      /^Name +n1$/m,
    );
    const { code, err } = await run(['node', 'status', '3f2a']);
    expect({ code, err }).toEqual({
      code: 1,
      err: `error: Several nodes have IDs that begin so:\n  ${ids[0]}  n0\n  ${ids[1]}  n1\n`,
    });
    expect((await run(['status', '3f2a'])).err).toContain(`Several IDs begin so:\nnodes:\n  ${ids[0]}  n0`);
    expect((await run(['node', 'status', 'ffff'])).err).toBe(
      'error: There is no node whose ID begins with "ffff"\n',
    );
  });

  it('a job of that very ID counts before others that begin so', async () => {
    expect((await run(['status', 'web'])).out).toMatch(/^ID +web$/m);
    expect((await run(['status', 'web-c'])).out).toMatch(/^ID +web-canary$/m);
    expect((await run(['job', 'status', 'we'])).err).toContain('  web\n  web-canary\n');
  });

  it('changes no job by the beginning of its ID', async () => {
    const { code, err } = await run(['job', 'stop', 'web-can']);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'error: There is no job "web-can" in namespace "default". The whole ID is needed, of these one was meant perhaps:\n  web-canary\n',
    });
  });
});

describe('a command for each list', () => {
  const lists = listCommands.map(({ path }) => path.split(' '));

  it('is there for each list of the API', () => {
    expect(listCommands.map(({ list }) => list).sort()).toEqual(Object.keys(listPaths).sort());
  });

  it.each(lists)('%s %s %s', async (...words) => {
    const path = words.filter((word) => word !== undefined);
    const { code, err } = await run([...path, '--limit', '2']);
    // Access control is off here.
    expect([0, path[0] === 'acl' ? 1 : 0]).toContain(code);
    if (path[0] === 'acl') expect(err).toMatch(/ACL support disabled|No /);
    expect((await run([...path, '--filter', 'Nonsense == 1'])).code).toBe(1);
    const counted = await run([...path, '-facets', 'Name', '-sort', 'Name']);
    expect([counted.code, counted.err]).toMatchObject([
      64,
      expect.stringContaining('--facets counts all that matches: leave out --sort') as string,
    ]);
  });

  it('counts values', async () => {
    const { code, out } = await run(['job', 'list', '--facets', 'Status,Type', '--filter', 'Priority < 70']);
    expect(code).toBe(0);
    expect(out).toMatch(/^3 in all\n\nSTATUS +COUNT\n(?:\w* +\d+\n)+\nTYPE +COUNT\nservice +3\n$/);
    const json = JSON.parse((await run(['node', 'list', '--facets', 'Status', '--json'])).out) as object;
    expect(json).toEqual({
      Total: 2,
      Facets: { Status: { Values: [{ Value: 'ready', Count: 2 }], Others: 0 } },
    });
  });

  it.each([24, 40, 60, 80])('shows IDs whole on %i columns', async (columns) => {
    const { out } = await run(['job', 'list'], { columns, env: { NO_COLOR: '1' } });
    const text = out.replaceAll('\n', '');
    expect(text).toContain('界'.repeat(100));
    expect(out).toMatch(/^web-canary\b/m);
    expect((await run(['job', 'status', '界'], { columns })).out).toContain('界'.repeat(100));
  });
});

describe('namespaces', () => {
  it('are made, changed, shown and deleted', async () => {
    expect((await run(['namespace', 'apply', 'team-a', '-description', 'one', '-meta', 'a=b'])).out).toBe(
      'team-a made\n',
    );
    expect((await run(['namespace', 'apply', 'team-a', '--meta', 'c=d', '--meta', 'a='])).out).toBe(
      'team-a changed\n',
    );
    const { out } = await run(['namespace', 'status', 'team-a']);
    expect(out).toBe('Name         team-a\nDescription  one\nJobs         none\nMeta         c=d\n');
    expect((await run(['namespace', 'status', 'apps'])).out).toMatch(/^Jobs +1 /m);
    expect((await run(['namespace', 'list'])).out).toMatch(/^team-a +one$/m);
    expect(await run(['namespace', 'delete', 'team-a'])).toEqual({
      code: 0,
      out: 'team-a deleted\n',
      err: '',
    });
    expect((await run(['namespace', 'delete', 'team-a'])).code).toBe(1);
    expect((await run(['namespace', 'apply', 'a b'])).err).toContain('invalid name');
  });
});

it('warns of the deletion of the last management token', async () => {
  const { agent: one, tokens, sendAs } = await createAclCluster({});
  const there = { origin: await one.listen(), env: { SCHEDULER_TOKEN: tokens.get('mgmt') ?? '' } };
  const [token] = (await sendAs('mgmt', '/v1/acl/tokens')).json() as { AccessorID: string }[];
  const { code, err } = await runCommand(['acl', 'token', 'delete', token?.AccessorID ?? ''], there);
  expect([code, err]).toEqual([0, `warning: ${token?.AccessorID} was the last management token\n`]);
  await one.close();
});

it('warns of missing policies that a new token names', async () => {
  const { agent: guarded, tokens } = await createAclCluster({ readers: 'node { policy = "read" }' });
  const there = {
    origin: await guarded.listen(),
    env: { SCHEDULER_TOKEN: tokens.get('mgmt') ?? '' },
  };
  const words = ['acl', 'token', 'create', '--policy', 'readers', '--policy', 'raeders'];
  const { code, err, out } = await runCommand(words, there);
  expect({ code, err }).toEqual({ code: 0, err: 'warning: there is no policy "raeders" yet\n' });
  expect(out).toMatch(/^Secret +\S+$/m);
  await guarded.close();
});

describe('commands of the original that are not here', () => {
  it.each([
    [['system', 'gc'], 'There is no command "system gc": the API has no garbage collection on demand'],
    [['job', 'allocs', 'web'], 'There is no command "job allocs": try scheduler alloc list'],
    [['var', 'put', 'x'], 'There is no command "var": there are no variables'],
    [['run', 'x.hcl'], 'There is no command "run": try scheduler job run'],
    [['node', 'pool', 'list'], 'There is no command "node pool": a pool is there'],
    [['alloc', 'exec', '3f2a', 'sh'], 'There is no command "alloc exec": no program'],
  ])('%j', (args, message) => expect(() => findCommand(commandTable, args)).toThrow(message));

  it('are no commands that are here', () => {
    for (const { path } of commandTable) expect(insteadOf(path.split(' '))).toBeNull();
  });
});

describe('what goes wrong', () => {
  it.each<[args: string[], code: number, message: string]>([
    [['job', 'stop'], 64, 'JOB is missing, the ID of a job: scheduler job stop JOB'],
    [['job', 'stop', 'a', 'b'], 64, 'Unexpected "b" behind job stop a'],
    [['job', 'status', '--filtr', 'x'], 64, "Unknown option '--filtr': did you mean --filter?"],
    [
      ['job', 'list', '--filter', 'a == 1', '--filter', 'b == 2'],
      64,
      '--filter must be given once: join its conditions',
    ],
    [['job', 'status', '--limit', 'x'], 64, '--limit is a whole number, not "x"'],
    [
      ['job', 'status', '--address', 'localhost:4646'],
      64,
      'an address is a URL such as http://127.0.0.1:4646',
    ],
    [['job', 'run', 'missing.hcl'], 1, 'There is no file missing.hcl'],
    [['node', 'drain', '3f2a'], 64, 'Which one: --enable or --disable?'],
    [['job', 'status', '-namespace=prdo'], 1, 'There is no namespace "prdo"'],
    [['alloc', 'logs', '-namespace', 'prdo', '3f2a'], 1, 'There is no namespace "prdo"'],
    [['job', 'stop', '-namespace', 'prdo', 'web'], 1, 'There is no namespace "prdo"'],
    [['alloc', 'logs', '-n', 'prod', '3f2a'], 64, '--tail is a whole number, not "prod"'],
  ])('%j ends with %i', async (args, code, message) => {
    const result = await run(args);
    expect(result).toMatchObject({ code, out: '' });
    expect(result.err).toContain(message);
  });

  it('reports that no agent responds, and where to look', async () => {
    const nobody = createServer().listen(0, '127.0.0.1');
    await once(nobody, 'listening');
    const { port } = nobody.address() as AddressInfo;
    nobody.close();
    await once(nobody, 'close');
    const { code, err } = await run(['status'], { origin: `http://127.0.0.1:${port}` });
    expect(code).toBe(1);
    expect(err).toContain(
      `http://127.0.0.1:${port} cannot be reached: no process listens there. Is the agent running there?`,
    );
  });
});
