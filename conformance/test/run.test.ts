import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../src/command.mjs';
import type { Case } from '../src/data.mjs';
import { readProgram } from '../src/judge.mjs';
import { renderPage } from '../src/page.mjs';
import { renderText, tally, toJson } from '../src/report.mjs';

const ours = [
  process.execPath,
  '--import',
  'tsx',
  fileURLToPath(new URL('../../test/conformance/program.ts', import.meta.url)),
];

let place: string;

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'tamis-conformance-'));
});

afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

interface Outcome {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

async function run(...args: readonly string[]): Promise<Outcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = [stdout, stderr].map((stream) => {
    const parts: string[] = [];
    stream.on('data', (part: Buffer) => parts.push(String(part)));
    return parts;
  });
  const code = await main(args, { stdout, stderr });
  return { code, output: texts[0]!.join(''), errors: texts[1]!.join('') };
}

/** A program that introduces itself and then returns for each case the value of `answer`, an expression of `asked`. */
function fake(
  answer: string,
  introduction: object | string = { name: 'fake', trees: false, classes: false },
): string[] {
  const first = typeof introduction === 'string' ? introduction : JSON.stringify(introduction);
  const code = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const asked = JSON.parse(line);
    if (asked.protocol) console.log(${JSON.stringify(first)});
    else if (asked.id) { ${answer} }
  })`;
  return [process.execPath, '-e', code];
}

const say = (answer: string): string => `console.log(JSON.stringify({ id: asked.id, ${answer} }))`;

const suite = { cases: [], sentences: [], schemas: { structs: {} } };

function failing(id: string, row: string): Case {
  const testCase = { family: 'one', sentences: [], level: 0, source: 'page' } as const;
  return { ...testCase, id, expression: 'a == 1', row, answer: { value: true } };
}

describe('tamis-conformance run', () => {
  it('finds no failure in this engine when run as a program', async () => {
    // All cases are put to it without a process, by the tests of the engine.
    const some = ['page', 'json-number', 'standard-reads', 'lint', 'level-1-rules'];
    const only = some.flatMap((name) => ['--only', name]);
    const { code, output, errors } = await run('run', ...only, '--', ...ours);
    expect(errors).toBe('');
    expect(output).toMatch(/\nok {3}\d+\/\d+ +bare-collection\n/);
    expect(output).toMatch(/\n1?\d{3} passed, 0 failed, \d+ skipped\n$/);
    expect(output).toMatch(/^Tamis sources\n\nok /);
    expect(code).toBe(0);
  });

  it('explains failures', async () => {
    const { code, output } = await run('run', '--only', 't00003', '--', ...fake(say('value: false')));
    expect(code).toBe(1);
    expect(output).toContain('t00003 (go-bexpr 0.1.16; go-bexpr)\n  filter    "(any TaskGroups as g');
    expect(output).toContain('  schema    Job\n  expected  true\n  got       false\n');
    expect(output).toMatch(/FAIL 0\/1 /);
    expect(output).toMatch(/\n0 passed, 1 failed, 0 skipped\n$/);
  });

  it('compares the codes of a lint, in any order, where a program has one', async () => {
    const lint = { name: 'fake', level: 1, lint: true };
    const about = ['--only', 'lint', '--failures', '1'];
    const none = await run('run', ...about, '--', ...fake(say('findings: ["nosuch"]'), lint));
    expect(none.output).toMatch(/expected {2}findings: [a-z-]+\n {2}got {7}findings: nosuch\n/);
    const turned = fake(say('findings: ["not-portable", "text-order"]'), lint);
    expect((await run('run', ...about, '--', ...turned)).output).toMatch(
      /\n3 passed, \d+ failed, 0 skipped\n$/,
    );
    const without = await run('run', ...about, '--', ...fake(say(''), { name: 'fake', level: 1 }));
    expect(without.output).toMatch(/\nskipped (\d+): lint\n0 passed, 0 failed, \1 skipped\n$/);
  });

  it('skips what a program cannot have, with a reason of the list', async () => {
    const level = await run('run', '--only', 'level-1-rules', '--', ...fake(say('value: true')));
    expect(level.output).toMatch(/skipped \d+: level\n0 passed, 0 failed, \d+ skipped/);
    const own = await run('run', '--only', 't00003', '--', ...fake(say('skip: "schema"')));
    expect([own.code, own.output.includes('skipped 1: schema')]).toEqual([0, true]);
    const other = await run('run', '--only', 't00003', '--', ...fake(say('skip: "boring"')));
    expect([other.code, other.output.includes('got       skip "boring"')]).toEqual([1, true]);
  });

  it('counts cases without a result as failed, and reports why', async () => {
    const stops: readonly (readonly [string, string])[] = [
      ['console.error("no idea"); process.exit(3)', 'it ended with code 3; its last words: no idea'],
      ['console.log("hm")', 'a line of it is no JSON: hm'],
      ['console.log("{}")', 'a line of it has no id: {}'],
      ['console.log(\'{"id":"x"}\')', 'it answered "x", which was not asked or is answered'],
    ];
    for (const [answer, why] of stops) {
      const { code, output } = await run('run', '--only', 't00003', '--', ...fake(answer));
      expect(output).toContain(`The program stopped answering: ${why}\n0 passed, 1 failed, 0 skipped`);
      expect(code).toBe(1);
    }
  });

  it('refuses what is no program and no command', async () => {
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [['run'], /expected -- followed by the program/],
      [['run', '--only', 'nosuch', '--', 'x'], /no case is of this level and name/],
      [['run', '--level', 'x', '--', 'x'], /--level: expected a whole number/],
      [['run', '--nosuch', '--', 'x'], /Unknown option '--nosuch'/],
      [['page'], /page: expected reports/],
      [['page', '/nowhere/at-all'], /at-all: ENOENT/],
      [['fuzz', '--a', 'x'], /x: ENOENT/],
      [['walk'], /there is no command "walk"/],
      [['run', '--', '/nowhere/at-all'], /it did not start: .*ENOENT/],
      [['run', '--', ...fake('', 'hello')], /its first line does not say who it is: .*found hello/],
      [['run', '--', ...fake('', { name: 'x', lint: 'yes' })], /expected lint: true or false/],
      [['run', '--', ...fake('', { name: 'x', numbers: 'real' })], /expected numbers: "exact" or "float64"/],
    ];
    for (const [args, message] of refusals) {
      const { code, output, errors } = await run(...args);
      expect(errors).toMatch(message);
      expect([code, output]).toEqual([2, '']);
    }
  });

  it('reports in JSON', async () => {
    const { output } = await run('run', '--json', '--only', 't00003', '--', ...fake(say('value: false')));
    const report = JSON.parse(output) as Record<string, unknown>;
    expect(report).toMatchObject({ counts: { passed: 0, failed: 1, skipped: 0 }, program: { name: 'fake' } });
    expect(report['failures']).toMatchObject([{ id: 't00003', expected: 'true', got: 'false' }]);
  });

  it('names every case that failed, in JSON and on a page, and in a terminal where to find them', () => {
    const row = JSON.stringify({ a: 'x'.repeat(2_000) });
    const testCase = Array.from({ length: 30 }, (_, index) => failing(`s${index}`, row));
    const program = readProgram({ name: 'fake' });
    const report = tally(testCase, { program, answers: new Map(), ended: null });
    const text = renderText(report, suite, { maxFailures: 1 });
    expect(text).toMatch(/… \(the first of 2008 characters: --json has the rest\)\n/);
    expect(text).toMatch(/\n\.\.\. and 29 more failures: .*--failures N.*--json/);
    const json = toJson(report);
    expect(json.failures.map(({ id, row: whole }) => [id, whole])).toEqual(
      testCase.map(({ id }) => [id, row]),
    );
    expect(renderPage([json], [])).toContain(
      `<pre>${testCase.map(({ id }) => id).join(' ')}</pre></details>`,
    );
  });

  it('makes a page of reports, which needs nothing from anywhere', async () => {
    const { output: report } = await run(
      'run',
      '--json',
      '--only',
      't00003',
      '--',
      ...fake(say('value: false'), { name: '<b>' }),
    );
    const file = join(place, 'report.json');
    writeFileSync(file, report);
    const { code, output } = await run('page', file, file);
    expect(code).toBe(0);
    expect(output).toContain('<th class="n" scope="col">&lt;b&gt;</th>');
    expect(output).toContain('<span class="fail">✗ 0/1</span>');
    expect(output).not.toMatch(/<b>|https?:|<script/);
  });

  it('finds the smallest difference of two programs', async () => {
    const [a, b] = ['true', 'asked.expression.length < 9'].map((value, index) => {
      const file = join(place, `${index}.json`);
      writeFileSync(file, JSON.stringify(fake(say(`value: ${value}`))));
      return file;
    });
    const same = await run('fuzz', '--a', a!, '--b', a!, '--cases', '50');
    expect(same).toEqual({ code: 0, output: 'no difference\n', errors: '' });
    const { code, output } = await run('fuzz', '--a', a!, '--b', b!, '--cases', '50');
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({
      level: 0,
      row: '{}',
      a: { value: true },
      b: { value: false },
    });
  });

  it('prints the sentences, and help', async () => {
    expect((await run('sentences')).output).toMatch(/^level-0\/4 {2}`not` binds tighter/m);
    expect((await run('--help')).output).toContain('usage: tamis-conformance run');
    const bin = fileURLToPath(new URL('../bin/tamis-conformance.mjs', import.meta.url));
    expect(spawnSync(process.execPath, [bin, 'walk']).status).toBe(2);
  });
});
