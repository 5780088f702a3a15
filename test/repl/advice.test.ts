import { describe, expect, it } from 'vitest';
import { createSession } from '../../src/command/session.js';
import { paletteFor } from '../../src/command/palette.js';
import { runIn } from './fake-io.js';

const schema = JSON.stringify({
  root: 'Job',
  structs: {
    Job: {
      fields: {
        Status: { kind: 'string', values: ['running', 'pending'] },
        Stop: { kind: 'bool' },
        Secret: { kind: 'string', hidden: true },
      },
    },
  },
});
const files = { s: schema };

describe('tamis check', () => {
  it('says what was probably meant by a refused expression', async () => {
    const outcome = await runIn({}, 'check', "a = 1 && b = 'x'");
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/ {2}did you mean: a == 1 and b == "x"\n$/);
  });

  it('warns of what is right and probably not meant', async () => {
    const outcome = await runIn({}, 'check', 'a == 1 and a == 2');
    expect(outcome).toEqual({
      code: 0,
      stdout: 'ok\n',
      stderr: [
        'warning: a == 1 and a == 2 is never true',
        '  1 | a == 1 and a == 2',
        '    | ^^^^^^^^^^^^^^^^^ it cannot be both',
        '  hint: did you mean or?',
        '  did you mean: a == 1 or a == 2',
        '',
      ].join('\n'),
      chunksRead: 0,
    });
  });

  it('knows the values that a schema lists', async () => {
    const outcome = await runIn({ files }, 'check', '--schema', 's', 'Status == runing');
    expect(outcome.stderr).toContain('did you mean: Status == "running"');
    expect((await runIn({ files }, 'check', '--schema', 's', 'Status == running')).stderr).toBe('');
  });

  it('does not warn if disabled', async () => {
    expect(await runIn({}, 'check', '--no-lint', 'a == 1 and a == 2')).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ["Status = 'running' && Stop = false", 0, 'Status == "running" and Stop == false\n'],
    ['Status == running', 0, 'Status == running\n'],
    ['Status == running Stop == false', 2, ''],
    ['Status <', 2, ''],
  ])('--fix makes of %s', async (source, code, stdout) => {
    expect(await runIn({}, 'check', '--fix', source)).toMatchObject({ code, stdout });
  });

  it('reports to programs', async () => {
    const { stdout } = await runIn({}, 'check', '--json', 'a = 1');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      correction: { source: 'a == 1', isOnlyOne: true },
    });
    const fine = await runIn({}, 'check', '--json', 'a == 1 and a == 2');
    expect(JSON.parse(fine.stdout)).toMatchObject({ ok: true, findings: [{ code: 'always-false' }] });
  });

  it('says of a hidden field what it says of one that is not there', async () => {
    const reported = async (name: string): Promise<string> => {
      const { stderr } = await runIn({ files }, 'check', '--schema', 's', `${name} == 1`);
      return stderr.replaceAll(name, 'NAME');
    };
    expect(await reported('Secret')).toBe(await reported('Zzzzzz'));
    expect(await reported('Secrte')).toBe(await reported('Zzzzzz'));
  });
});

const stdin = '{"Status":"running"}\n{"Status":"pending"}\n{"Status":"running"}\n';
const explanation =
  'tamis: nothing matched: Status == "runing" matches none of 3 rows; there are "running" (2), "pending" (1). ' +
  'Did you mean "running"?\n';

describe('tamis filter', () => {
  it('explains an empty result to people', async () => {
    const outcome = await runIn({ stdin, terminals: ['stdout'] }, 'filter', 'Status == "runing"');
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: explanation });
  });

  it('explains it in a pipe on request', async () => {
    expect(await runIn({ stdin }, 'filter', 'Status == "runing"')).toMatchObject({ code: 1, stderr: '' });
    const outcome = await runIn({ stdin }, 'filter', '--explain', 'Status == "runing"');
    expect(outcome).toMatchObject({ code: 1, stderr: explanation });
  });

  it('explains it to programs on request', async () => {
    const { stderr } = await runIn({ stdin }, 'filter', '--json', '--explain', 'Status == "runing"');
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { rows: 3 },
      { diagnosis: { blockingClause: 0, suggestion: { replacement: '"running"' } } },
    ]);
  });

  it.each([
    ['something matches', ['Status == running']],
    ['the answer is inverted', ['--invert', 'Status != x']],
    ['told to be quiet', ['--quiet', 'Status == x']],
  ])('explains nothing when %s', async (_, args) => {
    expect((await runIn({ stdin, terminals: ['stdout'] }, 'filter', ...args)).stderr).toBe('');
  });

  it('explains nothing where there were no rows', async () => {
    expect((await runIn({ stdin: '', terminals: ['stdout'] }, 'filter', 'a == 1')).stderr).toBe('');
  });
});

describe('a session', () => {
  const options = {
    rows: [
      { Status: 'running', N: 1 },
      { Status: 'pending', N: 2 },
    ],
    schema: null,
    dialect: 'standard',
    palette: paletteFor({ isTerminal: false }, {}),
    columns: () => 80,
    now: () => 0,
    clock: () => new Date('2026-11-22T12:00:00Z'),
    // Nothing is saved here.
    save: () => undefined,
  } as const;
  /** Commands of a new session, after a filter where one is given. */
  const commandsAfter = (filter: string | null): ((line: string) => string) => {
    const session = createSession(options);
    if (filter !== null) session.evaluate(`${filter}\n`);
    return (line) => {
      const [name = '', ...words] = line.split(' ');
      return session.commands.find((each) => each.name === name)?.run(words.join(' ')) ?? 'no such command';
    };
  };
  const filter = 'Status == "running" and N == 1';

  it('explains and lints nothing before there is something', () => {
    const command = commandsAfter(null);
    expect(command('explain')).toBe('there is no filter yet: type one first\n');
    expect(command('lint')).toBe('there is no filter yet: type one first\n');
  });

  it('explains a row', () => {
    const command = commandsAfter(filter);
    expect(command('explain 2')).toBe(
      [
        'Status == "running" is false: Status is "pending"',
        '',
        'false  and',
        'false    Status == "running": Status is "pending"',
        '-        N == 1: not needed',
        '',
      ].join('\n'),
    );
    expect(
      command('explain').startsWith('Status == "running" is true: Status is "running"\nN == 1 is true'),
    ).toBe(true);
    for (const wrong of ['0', '3', 'x'])
      expect(command(`explain ${wrong}`)).toBe('.explain N takes 1 to 2\n');
  });

  it('lints', () => {
    const command = commandsAfter(filter);
    expect(command('lint')).toBe('nothing to say\n');
    expect(command('lint N == 1 or N == 1')).toContain('warning: N == 1 occurs twice in one or');
    expect(command('lint N =')).toContain('error: ');
  });
});
