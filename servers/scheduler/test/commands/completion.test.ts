import { execFileSync } from 'node:child_process';
import { completionScript } from 'tamis/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createApiClient } from '@tamis/scheduler-command/api/api-client.js';
import { createCandidateSource } from '@tamis/scheduler-command/candidate-source.js';
import { commandTable } from '../../src/program/local/command-table.js';
import { completeLine, type CandidateSource } from '@tamis/scheduler-command/complete-line.js';
import { createTestAgent } from '../support/test-agent.js';

const alone = createCandidateSource(null, null);

async function wordsFor(
  line: readonly string[],
  source: CandidateSource = alone,
): Promise<readonly string[]> {
  const found = await completeLine(commandTable, line, source);
  return found.kind === 'files' ? ['(files)'] : found.words;
}

describe('completion from the table', () => {
  it.each<[line: string[], words: string[]]>([
    [['jo'], ['job']],
    [
      ['job', 'st'],
      ['status', 'stop'],
    ],
    [
      ['acl', 'token', ''],
      ['list', 'read', 'self', 'create', 'delete'],
    ],
    [['job', 'run', ''], ['(files)']],
    [['job', 'run', '--check-index', '5', ''], ['(files)']],
    [['job', 'run', '--check-index', ''], []],
    [['job', 'run', '--det'], ['--detach']],
    [
      ['job', 'status', '--sort', '-S'],
      ['-Status', '-SubmitTime'],
    ],
    [['job', 'status', '--sort=Pri'], ['--sort=Priority']],
    [['node', 'status', '--filter', 'Datac'], ['Datacenter']],
    [['node', 'status', '--filter', "'Datac"], ['Datacenter']],
    [
      ['alloc', 'signal', '-s', 'SIGU'],
      ['SIGUSR1', 'SIGUSR2'],
    ],
    [['agent', '--etcd-en'], ['--etcd-endpoint']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nothing', ''], []],
  ])('%j', async (line, words) => expect(await wordsFor(line)).toEqual(words));

  it('completes fields, operators and connectives of a filter', async () => {
    expect(await wordsFor(['job', 'status', '--filter', 'Priority >= 50 a'])).toEqual(['Priority >= 50 and']);
    expect(await wordsFor(['job', 'status', '--filter', 'Meta.'])).toEqual([]);
  });
});

describe('completion by what a server knows', () => {
  let agent: Agent;
  let source: CandidateSource;
  beforeAll(async () => {
    agent = await createTestAgent({
      lines: [
        ...['web', 'web-2', 'api\nsecond-line'].map((ID) => ({
          kind: 'job',
          object: { ID, Status: 'running' },
        })),
        { kind: 'node', object: { ID: 'abcd0000-0000-4000-8000-000000000001', Name: 'n' } },
      ],
    });
    const address = await agent.listen();
    const options = { address, token: null, region: null, fetch, signal: new AbortController().signal };
    source = createCandidateSource(createApiClient(options), null);
  });
  afterAll(() => agent.close());

  it('offers IDs, also where any will do', async () => {
    expect(await wordsFor(['job', 'stop', 'we'], source)).toEqual(['web', 'web-2']);
    // A value with a line break is not offered.
    expect(await wordsFor(['job', 'stop', ''], source)).toEqual(['web', 'web-2']);
    expect(await wordsFor(['status', 'abc'], source)).toEqual(['abcd0000-0000-4000-8000-000000000001']);
    expect(await wordsFor(['status', '-n', 'def'], source)).toEqual(['default']);
  });

  it('offers the values that a field has', async () => {
    const words = await wordsFor(['job', 'status', '--filter', 'Status == "r'], source);
    expect(words).toContain('Status == "running"');
  });
});

it('bash takes the words of the program, quoted where that is needed', () => {
  const stub = 'scheduler() { printf "words\\nweb\\na b\\n"; }';
  const line = 'COMP_WORDS=(scheduler status ""); COMP_CWORD=2; _scheduler; printf "%s|" "${COMPREPLY[@]}"';
  const script = `${completionScript('scheduler', 'bash')}\n${stub}\n${line}`;
  expect(execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })).toBe('web|a\\ b|');
});
