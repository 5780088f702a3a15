import { describe, expect, it } from 'vitest';
import { run } from '../../src/command/run.js';
import { createFakeIo, runIn, type World } from './fake-io.js';

describe('tamis', () => {
  it.each([[[]], [['help']], [['--help']], [['-h']]])('%j prints the help', async (argv) => {
    const { code, stdout, stderr } = await runIn({}, ...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of ['Usage: tamis COMMAND', 'filter', 'check', 'fmt', 'repl', 'Exit status']) {
      expect(stdout).toContain(word);
    }
  });

  it.each([
    [['--version'], '1.2.3\n'],
    [['-V'], '1.2.3\n'],
    [['version'], '1.2.3\n'],
    [['filter', '--version'], '1.2.3\n'],
  ])('%j prints the version', async (argv, stdout) => {
    expect(await runIn({}, ...argv)).toMatchObject({ code: 0, stdout });
  });

  it.each(['filter', 'check', 'fmt', 'sql', 'schema', 'repl'])(
    '%s has help with examples that name its options',
    async (command) => {
      const { code, stdout } = await runIn({}, command, '--help');
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: tamis ${command}`);
      expect(stdout).toContain(`Examples:\n  `);
      expect(await runIn({}, 'help', command)).toMatchObject({ stdout });
      expect(await runIn({}, command, '-h')).toMatchObject({ stdout });
      // Every option in an example is in the list above it.
      const [list = '', examples = ''] = stdout.split('Examples:');
      for (const option of examples.match(/--[a-z-]+/g) ?? []) expect(list).toContain(`${option} `);
    },
  );

  it('keeps its help within 120 columns', async () => {
    for (const argv of [
      [],
      ['filter', '-h'],
      ['check', '-h'],
      ['fmt', '-h'],
      ['sql', '-h'],
      ['repl', '-h'],
    ]) {
      const { stdout } = await runIn({}, ...argv);
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    }
  });

  it.each<[string[], string]>([
    [['fliter'], 'tamis: there is no command "fliter"\n  hint: did you mean filter?\n'],
    [
      ['xyzzy'],
      'tamis: there is no command "xyzzy"\n  hint: the commands are filter, check, fmt, sql, schema, repl, completion\n',
    ],
    [['help', 'fmtt'], 'tamis: there is no command "fmtt"\n  hint: did you mean fmt?\n'],
    [
      ['--count', 'x'],
      'tamis: there is no option --count\n  hint: the command comes first: tamis filter --count ...\n',
    ],
    [
      ['a == 1'],
      "tamis: there is no command in front of the expression\n  hint: tamis filter 'a == 1' FILE\n",
    ],
    [['filter', '--cuont', 'x'], 'tamis: there is no option --cuont\n  hint: did you mean --count?\n'],
    [['filter', '-z', 'x'], 'tamis: there is no option -z\n'],
    [['filter', '-cz', 'x'], 'tamis: there is no option -z\n'],
    [['filter', '--count=3', 'x'], 'tamis: --count takes no value, got "3"\n'],
    [['filter', '--limit'], 'tamis: --limit needs a value: --limit N\n'],
    [
      ['filter', '--dialect', 'gobexpr', 'x'],
      'tamis: --dialect is standard or go-bexpr, not "gobexpr"\n  hint: did you mean go-bexpr?\n',
    ],
    [['filter', '--dialect', 'sql', 'x'], 'tamis: --dialect is standard or go-bexpr, not "sql"\n'],
    [['filter', '--__proto__', 'x'], 'tamis: there is no option --__proto__\n'],
    [['filter', '--constructor', 'x'], 'tamis: there is no option --constructor\n'],
    [
      ['check', 'a', '==', '1'],
      "tamis: more than one expression\n  hint: put quotes around the whole expression: 'a == 1'\n",
    ],
    [['fmt', '--pretty'], 'tamis: there is no option --pretty\n'],
    [['repl'], 'tamis: no file to load\n  hint: name one or more: tamis repl jobs.ndjson\n'],
    [
      ['repl', '-'],
      'tamis: rows cannot come from standard input: your lines do\n  hint: write them to a file first\n',
    ],
    [['repl', 'nope'], 'tamis: nope: there is no such file\n'],
  ])('%j is trouble', async (argv, stderr) => {
    expect(await runIn({}, ...argv)).toMatchObject({ code: 2, stdout: '', stderr });
  });
});

describe('a mistake of our own', () => {
  it('is distinguished from user errors, with its trace', async () => {
    const io = createFakeIo({});
    const broken = { ...io, stdout: { ...io.stdout, write: () => Promise.reject(new RangeError('boom')) } };
    expect(await run(['--version'], broken)).toBe(2);
    expect(io.stderr.text()).toMatch(
      /^tamis: internal error, please report this bug: RangeError: boom\n +at /,
    );
    expect(await run(['check', '--json', 'a == 1'], broken)).toBe(2);
    expect(io.stderr.text()).toContain('{"error":{"name":"Error","code":"internal","message":"boom"}}');
  });
});

const schema = JSON.stringify({ root: 'Row', structs: { Row: { fields: { Name: { kind: 'string' } } } } });

describe('tamis check', () => {
  it.each<[World, string[], number, string, string]>([
    [{}, ['a == 1'], 0, 'ok\n', ''],
    [{ stdin: 'a == 1\n' }, [], 0, 'ok\n', ''],
    [{ stdin: 'a == 1\r\n' }, ['-'], 0, 'ok\n', ''],
    [{ stdin: '\ufeffa == 1' }, [], 0, 'ok\n', ''],
    [{}, ['not(a == 1)'], 0, 'ok\n', ''],
    [{ files: { s: schema } }, ['--schema', 's', 'Name == x'], 0, 'ok\n', ''],
    [
      { terminals: ['stdin'] },
      [],
      2,
      '',
      `tamis: no expression\n  hint: write it after the command, in quotes: 'Status == "running"'\n`,
    ],
  ])('%j %j', async (world, args, code, stdout, stderr) => {
    expect(await runIn(world, 'check', ...args)).toMatchObject({ code, stdout, stderr });
  });

  it.each<[World, string[], RegExp]>([
    [{}, ['a = 1'], /^tamis: 1:3: expected an operator/],
    [{}, ['--dialect', 'go-bexpr', 'not(a == 1)'], /not\(a == 1\)/],
    [{ files: { s: schema } }, ['--schema', 's', 'Nmae == x'], /Nmae/],
    [{ stdin: 'x'.repeat(1024 * 1024 + 1) }, [], /the expression has more than 1048576 bytes/],
    [{}, ['a matches "("'], /\^/],
  ])('%j %j is refused', async (world, args, stderr) => {
    const outcome = await runIn(world, 'check', ...args);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(stderr);
  });

  it('reports in JSON', async () => {
    const right = await runIn({}, 'check', '--json', 'not(a==1)');
    expect(right).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(right.stdout)).toEqual({
      ok: true,
      canonical: 'not a == 1',
      relaxations: [{ kind: 'missing-whitespace', span: { start: 3, end: 3 } }],
      findings: [expect.objectContaining({ code: 'not-portable' })],
    });
    const wrong = await runIn({}, 'check', '--json', 'a = 1');
    expect(wrong).toMatchObject({ code: 2, stderr: '' });
    expect(JSON.parse(wrong.stdout)).toMatchObject({
      ok: false,
      error: { name: 'FilterSyntaxError', line: 1, column: 3, suggestions: [{ replacement: '==' }] },
    });
  });
});

describe('tamis fmt', () => {
  it.each<[World, string[], string]>([
    [{}, ['Status==running and(not a!="x")'], 'Status == "running" and not a != "x"\n'],
    [{ stdin: ' a   ==1\n' }, [], 'a == 1\n'],
  ])('%j %j', async (world, args, stdout) => {
    expect(await runIn(world, 'fmt', ...args)).toMatchObject({ code: 0, stdout, stderr: '' });
  });

  it('is idempotent', async () => {
    const once = await runIn({}, 'fmt', 'any a as x{x==1 or(b is empty)}');
    expect(await runIn({ stdin: once.stdout }, 'fmt')).toMatchObject({ stdout: once.stdout });
  });

  it('refuses what is not an expression', async () => {
    expect(await runIn({}, 'fmt', 'a ==')).toMatchObject({ code: 2, stdout: '' });
    const { stderr } = await runIn({}, 'fmt', '--json', 'a ==');
    expect(JSON.parse(stderr)).toMatchObject({ error: { name: 'FilterSyntaxError' } });
  });
});
