import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { help, runCases } from './command.js';

const here = fileURLToPath(new URL('.', import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'scheduler-cases-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(
  args: readonly string[],
  from = folder,
): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const print = (text: string): void => void (out += text);
  const code = await runCases(args, from, { print, complain: (text) => void (err += text) });
  return { code, out, err };
}

async function runText(text: string, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  writeFileSync(join(folder, 'cases.yaml'), text);
  return run(['--file', 'cases.yaml', ...args]);
}

/** A file of one case with one step: GET /v1/jobs of an empty server, and what is expected of it. */
const withExpect = (expect: string): string =>
  `cases: [{ id: a-1, given: empty, steps: [{ req: { path: /v1/jobs }, expect: ${expect} }] }]`;

describe('the cases of this repository', () => {
  it.each(['lists.yaml', 'http.yaml'])('%s passes', async (name) => {
    const { code, out, err } = await run(['--file', `../cases/${name}`], here);
    expect(out).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped\n$/);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it('can be run one by one', async () => {
    const { out } = await run(['--file', '../cases/lists.yaml', '--only', 'errors-text', '--families'], here);
    expect(out).toBe('errors: 1 passed, 0 failed\n1 passed, 0 failed, 3 skipped\n');
  });
});

describe('an expectation that is not met is reported', () => {
  const text = `got "[]"`;
  it.each<[expect: string, problem: string]>([
    ['{ status: 201 }', 'expected status 201, got 200 "[]"'],
    ['{ status: 4xx_or_500 }', 'expected status 4xx_or_500, got 200 "[]"'],
    ['{ headers: { Vary: x } }', 'expected header Vary "x", got "Accept-Encoding"'],
    ['{ headers: { Vary: absent } }', 'expected header Vary "absent", got "Accept-Encoding"'],
    ['{ headers: { X-None: { match: . } } }', 'expected header X-None {"match":"."}, got nothing'],
    ['{ headers: { X-Scheduler-Index: { gt: 7 } } }', 'expected header X-Scheduler-Index {"gt":7}, got "1"'],
    [
      '{ headers: { Vary: { any_of: [a, b] } } }',
      'expected header Vary {"any_of":["a","b"]}, got "Accept-Encoding"',
    ],
    ['{ text: x }', `expected text "x", ${text}`],
    ['{ text_match: x }', `expected text to match x, ${text}`],
    ['{ text_not_match: . }', `expected text not to match ., ${text}`],
    ['{ raw_not_match: . }', `expected text not to match ., ${text}`],
    ['{ stream: { for_ms: 5, text_match: x } }', 'expected the stream to match x, got '],
    ['{ stream: { for_ms: 5, frames: 2 } }', 'expected 2 frames, got 0: '],
    ['{ stream: { frames: many } }', 'frames is not a number in this vocabulary'],
    ['{ min_ms: 60000 }', 'expected at least 60000 ms, got '],
    ['{ max_ms: 0 }', 'expected at most 0 ms, got '],
    ['{ json: [{ at: "", eq: [1] }] }', 'at "": expected eq [1], got []'],
    ['{ json: [{ at: "", len: 1 }] }', 'at "": expected len 1, got []'],
    ['{ json: [{ at: "", type: object }] }', 'at "": expected type "object", got []'],
    ['{ json: [{ at: "", has: [ID] }] }', 'at "": expected has ["ID"], got []'],
    ['{ json: [{ at: "", ids: [a] }] }', 'at "": expected ids ["a"], got []'],
    ['{ json: [{ at: "", set_eq: [a] }] }', 'at "": expected set_eq ["a"], got []'],
    ['{ json: [{ at: "*.ID", values: [a] }] }', 'at "*.ID": expected values ["a"], got nothing'],
    ['{ json: [{ at: "", contains: a }] }', 'at "": expected contains "a", got []'],
    ['{ json: [{ at: "", absent: true }] }', 'at "": expected absent true, got []'],
    ['{ json: [{ at: "0.ID", match: a }] }', 'at "0.ID": expected match "a", got nothing'],
    ['{ json: [{ at: "0.ID", gt: 1 }] }', 'at "0.ID": expected gt 1, got nothing'],
    ['{ json: [{ at: "0.ID", raw_match: a }] }', 'at "0.ID": expected raw_match "a", got nothing'],
  ])('%s', async (expected, problem) => {
    const { code, out } = await runText(withExpect(expected));
    expect(out).toContain(`FAILED a-1 step 1: GET /v1/jobs: ${problem}`);
    expect(out).toMatch(/0 passed, 1 failed, 0 skipped\n$/);
    expect(code).toBe(1);
  });

  it('with the request as it was sent, and nothing is sent after it', async () => {
    const { out } = await runText(`cases:
  - id: a-1
    given: empty
    steps:
      - { req: { path: /v1/jobs, query: { prefix: 'a b' } }, expect: { status: 500 } }
      - { req: { path: /v1/nodes }, expect: { status: 500 } }`);
    expect(out).toBe(
      'FAILED a-1 step 1: GET /v1/jobs?prefix=a%20b: expected status 500, got 200 "[]"\n' +
        '0 passed, 1 failed, 0 skipped\n',
    );
  });

  it('as is a name without a value, a response that is not JSON, a list in the wrong order', async () => {
    const { out } = await runText(`cases:
  - { id: a-1, given: empty, steps: [{ req: { path: '/v1/job/\${x}' } }] }
  - { id: a-2, given: empty, steps: [{ req: { path: /v1/x }, expect: { json: [{ at: '' }] } }] }
  - { id: a-3, given: empty, steps: [{ req: { path: /v1/namespaces }, expect: { json: [{ at: '0', lacks: [Name] }] } }] }
  - id: a-4
    given: empty
    steps:
      - { req: { method: PUT, path: /v1/namespace/a } }
      - { req: { method: PUT, path: /v1/namespace/a, json: { Name: a } }, expect: { status: 200 } }
  - id: a-5
    given: empty
    steps:
      - { req: { method: PUT, path: /v1/namespace/a, json: { Name: a } }, expect: { status: 200 } }
      - { req: { path: /v1/namespaces }, expect: { json: [{ at: '*.Name', sorted: desc }, { at: '*.Name', all_eq: a }] } }`);
    expect(out.split('\n')).toEqual([
      'FAILED a-1 step 1: GET /v1/job/${x}: nothing is called x here',
      'FAILED a-2 step 1: GET /v1/x: expected JSON, got ""',
      expect.stringContaining(
        'FAILED a-3 step 1: GET /v1/namespaces: at "0": expected lacks ["Name"], got {',
      ),
      'FAILED a-5 step 2: GET /v1/namespaces: at "*.Name": expected sorted "desc", got ["a","default"]',
      'FAILED a-5 step 2: GET /v1/namespaces: at "*.Name": expected all_eq "a", got ["a","default"]',
      '1 passed, 4 failed, 0 skipped',
      '',
    ]);
  });
});

describe('settings that the server does not have', () => {
  it.each<[config: string, problem: string]>([
    ['{ regoin: west }', 'a-1:1:2: regoin: there is no such setting: did you mean region?'],
    ['{ region: 5 }', 'a-1:1:11: region: expected a string, found a number'],
    ['{}, env: { SCHEDULER_LOG_LEVEL: wran }', 'SCHEDULER_LOG_LEVEL: log_level: expected one of'],
  ])('%s counts as failed', async (config, problem) => {
    const { code, out } = await runText(
      `cases: [{ id: a-1, given: empty, config: ${config}, steps: [{ req: { path: /v1/jobs } }] }]`,
    );
    expect(out).toContain(`FAILED a-1: ${problem}`);
    expect(out).toContain('0 passed, 1 failed, 0 skipped');
    expect(code).toBe(1);
  });
});

describe('a file that cannot be followed', () => {
  it.each<[text: string, problem: string]>([
    ['a: [', 'at line 1'],
    ['[]', 'file: expected a mapping'],
    ['cases: {}', 'cases: expected a list'],
    [
      '{ cases: [], extra: 1 }',
      'file: unknown key "extra", expected one of about, vocabulary, fixtures, cases',
    ],
    ['cases: [{ id: a, given: empty, steps: [], more: 1 }]', 'cases[0]: unknown key "more"'],
    ['cases: [{ id: a, given: empty, steps: [{ request: {} }] }]', 'a: steps[0]: unknown key "request"'],
    ['cases: [{ id: a, given: empty, steps: [{ req: {} }] }]', 'a: steps[0].req: expected path or pathraw'],
    [withExpect('{ state: 200 }'), 'a-1: steps[0].expect: unknown key "state"'],
    [withExpect('{ headers: { Vary: { is: x } } }'), 'steps[0].expect.headers.Vary: unknown key "is"'],
    [withExpect('{ json: [{ at: "", equals: 1 }] }'), 'steps[0].expect.json[0]: unknown key "equals"'],
    [withExpect('{ stream: { ms: 1 } }'), 'steps[0].expect.stream: unknown key "ms"'],
    [withExpect('{ status: fine }'), 'unknown status fine'],
    ['cases: [{ given: empty, steps: [] }]', 'cases[0]: expected an id'],
    ['cases: [{ id: a, steps: [] }]', 'a: expected given'],
    ['cases: [{ id: a, given: nowhere, steps: [] }]', 'there is no fixture nowhere'],
    [
      'cases: [{ id: a, given: empty, steps: [] }, { id: a, given: empty, steps: [] }]',
      'two cases are called a',
    ],
  ])('%s', async (text, problem) => {
    const { code, err } = await runText(text);
    expect(err).toContain(problem);
    expect(code).toBe(2);
  });

  it.each<[args: string[], problem: string]>([
    [[], '--file FILE is missing'],
    [['--file', 'none.yaml'], 'ENOENT'],
    [['--files', 'x'], "Unknown option '--files'"],
  ])('arguments %j', async (args, problem) => {
    const { code, err } = await run(args);
    expect(err).toContain(problem);
    expect(code).toBe(2);
  });

  it('a case to run that is not in it', async () => {
    const { code, err } = await runText(withExpect('{}'), '--only', 'b-1');
    expect([code, err]).toEqual([2, 'there is no case b-1\n']);
  });

  it('has a help text', async () => {
    expect(await run(['--help'])).toEqual({ code: 0, out: help, err: '' });
  });
});
