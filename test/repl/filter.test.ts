import { describe, expect, it } from 'vitest';
import { runIn, type World } from './fake-io.js';

const rows = [
  '{"ID":"a","N":1,"Meta":{"x":"1"}}',
  '{"ID":"b","N":2,"Meta":null}',
  '{"ID":"c","N":3,"Meta":{}}',
];
const lines = `${rows.join('\n')}\n`;

describe('tamis filter', () => {
  // name, input, arguments, exit code, output
  it.each<[string, World, string[], number, string]>([
    ['lines', { stdin: lines }, ['N != 2'], 0, `${rows[0]}\n${rows[2]}\n`],
    ['nothing matches', { stdin: lines }, ['N == 9'], 1, ''],
    ['no rows', { stdin: '' }, ['N == 9'], 1, ''],
    ['an array', { stdin: `[${rows.join(',')}]` }, ['N == 2'], 0, `${rows[1]}\n`],
    ['one object', { stdin: rows[0] ?? '' }, ['N == 1'], 0, `${rows[0]}\n`],
    ['a dash is standard input', { stdin: lines }, ['N == 1', '-'], 0, `${rows[0]}\n`],
    [
      'files in their order',
      { files: { x: rows[0] ?? '', y: `[${rows[1]}]` } },
      ['N != 9', 'y', 'x'],
      0,
      `${rows[1]}\n${rows[0]}\n`,
    ],
    ['invert', { stdin: lines }, ['-v', 'N == 2'], 0, `${rows[0]}\n${rows[2]}\n`],
    ['count', { stdin: lines }, ['-c', 'N != 2'], 0, '2\n'],
    ['count of nothing', { stdin: lines }, ['--count', 'N == 9'], 1, '0\n'],
    ['limit', { stdin: lines }, ['N != 2', '--limit', '1'], 0, `${rows[0]}\n`],
    ['limit and count', { stdin: lines }, ['-cn2', 'N != 9'], 0, '2\n'],
    [
      'limit across files',
      { files: { x: lines, y: lines } },
      ['-n', '4', '-c', 'N != 9', 'x', 'y'],
      0,
      '4\n',
    ],
    ['options may come last', { stdin: lines }, ['N == 1', '--count'], 0, '1\n'],
    [
      'spellings survive',
      { stdin: '{ "a" : 1.0,"b":1645230445788556001 , "b":1}' },
      ['b == 1'],
      0,
      '{ "a" : 1.0,"b":1645230445788556001 , "b":1}\n',
    ],
    [
      'big integers are exact',
      { stdin: '{"t":1645230445788556000}\n{"t":1645230445788556001}' },
      ['t == 1645230445788556001'],
      0,
      '{"t":1645230445788556001}\n',
    ],
    [
      'rows over lines are joined',
      { stdin: '{\n "a": "x  y",\r\n "b": [1, 2]\n}' },
      ['a is not empty'],
      0,
      '{"a":"x  y","b":[1,2]}\n',
    ],
    ['pretty', { stdin: '{"a":1.0}{"a":1}' }, ['-p', 'a == 1'], 0, '{\n  "a": 1.0\n}\n{\n  "a": 1\n}\n'],
    [
      'CRLF and a byte order mark',
      { stdin: `\ufeff${rows.join('\r\n')}\r\n` },
      ['N == 3'],
      0,
      `${rows[2]}\n`,
    ],
    [
      'characters split between chunks',
      { stdin: bytewise('{"a":"\u{1f600}é"}\n') },
      ['a == "\u{1f600}é"'],
      0,
      '{"a":"\u{1f600}é"}\n',
    ],
    ['absent', { stdin: lines }, ['--unresolved', 'absent', 'Meta.x.y != 1', '-c'], 0, '3\n'],
    ['a dialect', { stdin: lines }, ['--dialect=go-bexpr', 'N == 1'], 0, `${rows[0]}\n`],
    ['forced lines', { stdin: '[1]\n[2]\n' }, ['--format', 'lines', '"/0" == 2'], 0, '[2]\n'],
    ['an expression like an option', { stdin: '{"L":["-5"]}' }, ['--', '-5 in L'], 0, '{"L":["-5"]}\n'],
  ])('%s', async (_, world, args, code, stdout) => {
    expect(await runIn(world, 'filter', ...args)).toMatchObject({ code, stdout, stderr: '' });
  });

  it('stops reading when the limit is reached', async () => {
    const outcome = await runIn({ stdin: [lines, lines, lines] }, 'filter', '-n', '1', 'N == 1');
    expect(outcome).toMatchObject({ code: 0, chunksRead: 1 });
  });

  it('writes the rows of a chunk before it reads the next', async () => {
    const world = { stdin: [`${rows[0]}\n`, `${rows[1]}\n`, 'oops\n'] };
    expect(await runIn(world, 'filter', 'N != 9')).toMatchObject({
      code: 2,
      stdout: `${rows[0]}\n${rows[1]}\n`,
    });
  });

  it.each([
    [1, 0],
    [0, 0],
  ])('ends quietly when the reader goes after %i writes', async (closesAfter, code) => {
    const world = { stdin: [lines, lines, lines, lines], closesAfter };
    const outcome = await runIn(world, 'filter', 'N != 9');
    expect(outcome).toMatchObject({ code, stderr: '', chunksRead: closesAfter + 1 });
  });

  it('reports the trouble although the reader has gone', async () => {
    const world = { stdin: [`${rows[0]}\noops`], closesAfter: 0 };
    expect(await runIn(world, 'filter', 'N != 9')).toMatchObject({ code: 0 });
    const late = { stdin: [`${lines}oops\n`], closesAfter: 0 };
    expect(await runIn(late, 'filter', 'N != 9')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('oops'),
    });
  });
});

function bytewise(text: string): Uint8Array[] {
  return [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));
}

const schema = JSON.stringify({
  root: 'Row',
  structs: { Row: { fields: { ID: { kind: 'string' }, N: { kind: 'int' } } } },
});

describe('trouble of tamis filter', () => {
  it.each<[string, World, string[], string]>([
    [
      'no expression',
      {},
      [],
      'tamis: no expression\n  hint: write it after the command, in quotes: tamis filter \'Status == "running"\' jobs.json\n',
    ],
    [
      'a bad expression',
      {},
      ['N = 1'],
      'tamis: 1:3: expected an operator such as == or in, found "="\n  1 | N = 1\n    |   ^\n  hint: Use == for equality.\n',
    ],
    [
      'words without quotes',
      {},
      ['N', '==', '1', 'x.json'],
      "tamis: the shell took the expression apart\n  hint: put quotes around it: tamis filter 'N == 1'\n",
    ],
    [
      'the file first',
      {},
      ['x.json', 'N == 1'],
      `tamis: "x.json" is not an expression\n  hint: the expression comes first: tamis filter 'N == 1' x.json\n`,
    ],
    ['no such file', {}, ['N == 1', 'nope'], 'tamis: nope: there is no such file\n'],
    ['a directory', {}, ['N == 1', 'dir/'], 'tamis: dir/: is a directory\n  hint: name the files in it\n'],
    ['no permission', {}, ['N == 1', 'secret'], 'tamis: secret: may not be read\n'],
    [
      'a row that is not JSON',
      { files: { x: '{"N":2}\n{"N":tru}\n' } },
      ['N == 1', 'x'],
      'tamis: x, line 2, column 6, row 2: expected a value, found tru\n  {"N":tru}\n       ^^^\n  hint: --skip-errors leaves such a row out\n',
    ],
    [
      'a row that is no object',
      { stdin: '5' },
      ['N == 1'],
      'tamis: standard input, line 1, row 1: a row must be an object, not a number\n  5\n  ^\n  hint: --skip-errors leaves such a row out\n',
    ],
    [
      'a row that does not fit',
      { stdin: lines },
      ['Meta.x.y == 1'],
      'tamis: standard input, line 1, row 1: 1:8: y: a string has no parts\n',
    ],
    [
      'input that is cut off',
      { stdin: '[{"N":1},' },
      ['N == 1'],
      'tamis: standard input, line 1, row 1: the input ends before the closing ] of its array\n',
    ],
    [
      'a row that is too large',
      { stdin: '{"N":1}\n{"N":1000000}\n' },
      ['--max-row-bytes', '10', 'N == 1'],
      'tamis: standard input, line 2, row 2: line 2 has more than 10 bytes\n  hint: --skip-errors leaves such a row out\n',
    ],
    [
      'UTF-16',
      { stdin: [Uint8Array.of(0xff, 0xfe, 0x7b, 0)] },
      ['N == 1'],
      'tamis: standard input, line 1, row 1: the input is UTF-16 or binary, not UTF-8\n  hint: convert it to UTF-8 first, for example with iconv -f UTF-16 -t UTF-8\n',
    ],
    [
      'a field that the schema does not have',
      { files: { s: schema } },
      ['--schema', 's', 'M == 1'],
      'tamis: 1:1: M: there is no such field\n',
    ],
    [
      'a schema that is none',
      { files: { s: '{}' } },
      ['--schema', 's', 'N == 1'],
      'tamis: s: is no schema: structs: expected an object\n',
    ],
    [
      'a schema that is not JSON',
      { files: { s: '{' } },
      ['--schema', 's', 'N == 1'],
      'tamis: s: is no schema: ',
    ],
    ['no schema file', {}, ['--schema', 's', 'N == 1'], 'tamis: s: there is no such file\n'],
    [
      'two outputs',
      {},
      ['-ct', 'N == 1'],
      'tamis: --count and --table cannot go together\n  hint: choose one of them\n',
    ],
    [
      'a limit of none',
      {},
      ['-n', '0', 'N == 1'],
      'tamis: --limit must be a whole number of at least 1, not "0"\n',
    ],
    [
      'a limit that is no number',
      {},
      ['-n', '1e3', 'N == 1'],
      'tamis: --limit must be a whole number of at least 1, not "1e3"\n',
    ],
  ])('%s', async (_, world, args, stderr) => {
    const outcome = await runIn(world, 'filter', ...args);
    expect(outcome.code).toBe(2);
    expect(outcome.stderr.slice(0, stderr.length)).toBe(stderr);
  });

  const damaged = '{"N":1}\n{"N":\n{"N":1,"Meta":5}\n[]\n{"N":1}\n';

  it('continues after errors if enabled', async () => {
    const outcome = await runIn({ stdin: damaged }, 'filter', '-s', 'N == 1 and Meta.x != 3');
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr.match(/^tamis: standard input, line \d/gm)).toHaveLength(5);
    expect(outcome.stderr).toMatch(/tamis: 5 of 5 rows skipped\n$/);
    expect(await runIn({ stdin: damaged }, 'filter', '-s', 'N == 1')).toMatchObject({
      code: 0,
      stdout: '{"N":1}\n{"N":1,"Meta":5}\n{"N":1}\n',
    });
  });

  it('shows the first five errors only, and counts all', async () => {
    const outcome = await runIn(
      { stdin: `${'x\n'.repeat(1)}{"N":1}\n` + 'x\n'.repeat(8) },
      'filter',
      '-s',
      '-f',
      'lines',
      'N == 1',
    );
    expect(outcome).toMatchObject({ code: 0, stdout: '{"N":1}\n' });
    expect(outcome.stderr.match(/expected a value/g)).toHaveLength(5);
    expect(outcome.stderr).toContain('tamis: 9 of 10 rows skipped\n');
  });

  it('cannot continue if rows cannot be separated', async () => {
    const outcome = await runIn({ stdin: '[{"N":1} {"N":1}]' }, 'filter', '-s', 'N == 1');
    expect(outcome).toMatchObject({ code: 2, stdout: '{"N":1}\n' });
  });

  it('speaks JSON to programs', async () => {
    const outcome = await runIn({ stdin: '{"N":1}\nx\n' }, 'filter', '-s', '--json', 'N == 1');
    expect(outcome).toMatchObject({ code: 0, stdout: '{"N":1}\n' });
    expect(
      outcome.stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      {
        error: {
          file: null,
          row: 2,
          line: 2,
          column: 1,
          name: 'InputError',
          code: 'not-json',
          message: 'expected a value, found x',
          hint: null,
        },
      },
      { rows: 2, matched: 1, skipped: 1, bytes: 10, milliseconds: 1 },
    ]);
  });

  it('speaks JSON about errors that end it', async () => {
    const read = async (...args: string[]): Promise<unknown> => {
      const { code, stderr } = await runIn({ stdin: '{"N":{}}' }, 'filter', '--json', ...args);
      expect(code).toBe(2);
      return (JSON.parse(stderr) as { error: unknown }).error;
    };
    expect(await read('N = 1')).toMatchObject({
      name: 'FilterSyntaxError',
      code: 'no-match',
      span: { start: 2, end: 3 },
    });
    expect(await read('N == 1')).toMatchObject({
      name: 'FilterEvaluationError',
      file: null,
      row: 1,
      line: 1,
    });
    expect(await read('N == 1', 'nope')).toMatchObject({
      name: 'UsageError',
      code: 'usage',
      message: 'nope: there is no such file',
    });
    expect(await read('--limit', 'x', 'N == 1')).toMatchObject({ name: 'UsageError' });
  });

  it('gives the summary as the output of --count --json', async () => {
    expect(await runIn({ stdin: lines }, 'filter', '--count', '--json', 'N == 1')).toEqual({
      code: 0,
      stdout: '{"rows":3,"matched":1,"skipped":0,"bytes":90,"milliseconds":1}\n',
      stderr: '',
      chunksRead: 1,
    });
  });
});

describe('people at a terminal', () => {
  it('see progress on standard error, and a summary at the end', async () => {
    const outcome = await runIn(
      { stdin: [lines, lines], terminals: ['stderr'], tick: 100 },
      'filter',
      'N == 1',
    );
    expect(outcome.stdout).toBe(`${rows[0]}\n${rows[0]}\n`);
    expect(outcome.stderr.split('\r\u001b[K')).toEqual([
      '',
      '3 rows, 1 matched, 0.2 s, 0 MB/s',
      '6 rows, 2 matched, 0.4 s, 0 MB/s',
      '6 rows, 2 matched, 0.5 s, 0 MB/s\n',
    ]);
  });

  it.each<[string, World, string[]]>([
    ['--quiet', { terminals: ['stderr'] }, ['--quiet']],
    ['--json', { terminals: ['stderr'] }, ['--json', '--count']],
    ['rows on the same terminal', { terminals: ['stdout', 'stderr'] }, []],
    ['no terminal', {}, []],
    ['work that takes no time', { terminals: ['stderr'], tick: 0 }, []],
  ])('see none with %s', async (_, world, args) => {
    const outcome = await runIn({ tick: 100, ...world, stdin: [lines, lines] }, 'filter', ...args, 'N == 1');
    expect(outcome.stderr).toBe('');
  });

  it('see that their own lines are read', async () => {
    const outcome = await runIn({ stdin: lines, terminals: ['stdin'] }, 'filter', 'N == 1');
    expect(outcome.stderr).toBe('tamis: reading rows from the terminal; Ctrl-D ends them\n');
  });

  it.each<[string, World, boolean]>([
    ['a terminal', { terminals: ['stderr'] }, true],
    ['a pipe', {}, false],
    ['a terminal and NO_COLOR', { terminals: ['stderr'], env: { NO_COLOR: '1' } }, false],
    ['a terminal and an empty NO_COLOR', { terminals: ['stderr'], env: { NO_COLOR: '' } }, true],
    ['a dumb terminal', { terminals: ['stderr'], env: { TERM: 'dumb' } }, false],
    ['a pipe and FORCE_COLOR', { env: { FORCE_COLOR: '1' } }, true],
    ['a terminal and FORCE_COLOR=0', { terminals: ['stderr'], env: { FORCE_COLOR: '0' } }, false],
    ['NO_COLOR before FORCE_COLOR', { env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
  ])('have colours: %s', async (_, world, expected) => {
    const { stderr } = await runIn(world, 'filter', 'N = 1');
    expect(stderr.includes('\u001b[')).toBe(expected);
    // oxlint-disable-next-line no-control-regex -- the colours are what is taken away
    expect(stderr.replace(/\u001b\[\d+m/g, '')).toBe((await runIn({}, 'filter', 'N = 1')).stderr);
  });
});

describe('tamis filter --table', () => {
  const wide =
    '{"ID":"a","L":[1,2],"Status":"ok","Name":"字","Meta":{"x":"1"},"Long":"' + 'x'.repeat(90) + '"}';

  it('shows the filtered fields first, then what fits', async () => {
    const { stdout } = await runIn({ stdin: wide, columns: 60 }, 'filter', '-t', 'Meta.x == 1');
    expect(stdout).toBe(
      [
        '┌────┬────────┬────────┬──────┐',
        '│ ID │ Meta.x │ Status │ Name │',
        '├────┼────────┼────────┼──────┤',
        '│ a  │ 1      │ ok     │ 字   │',
        '└────┴────────┴────────┴──────┘',
        '(also Long, L, Meta)',
        '',
      ].join('\n'),
    );
  });

  it('shows what collections are about, not the names that they bring in', async () => {
    const args = ['-t', 'any L as x { x == 2 } and all M as k, v { v != 1 } and Status == "ok"'];
    const { stdout } = await runIn(
      { stdin: '{"ID":"a","x":1,"M":{},"L":[1,2],"Status":"ok"}' },
      'filter',
      ...args,
    );
    expect(stdout).toContain('│ ID │ L     │ M  │ Status │ x │');
  });

  it('disarms what could steer the terminal', async () => {
    const { stdout } = await runIn(
      { stdin: '{"ID":"\\u001b[31m\\u009b\\n","\\u0007":1}' },
      'filter',
      '-t',
      'ID != 1',
    );
    // oxlint-disable-next-line no-control-regex -- they are what must not be there
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    expect(stdout).toContain('·[31m··');
  });

  it('holds the first 200 rows and counts all', async () => {
    const stdin = Array.from({ length: 250 }, (_, at) => `{"ID":${at}}\n`).join('');
    const { stdout } = await runIn({ stdin }, 'filter', '-t', 'ID != -1');
    expect(stdout.match(/^│ \d+ +│$/gm)).toHaveLength(200);
    expect(stdout).toMatch(/the first 200 of 250 rows: --limit shows fewer\n$/);
  });

  it('shows bigints, nothing and nested values', async () => {
    const stdin = '{"A":1645230445788556001,"B":null,"C":{"d":{"e":{"f":{"g":1}}}},"D":true}\n{"A":2}\n';
    const { stdout } = await runIn({ stdin }, 'filter', '-t', 'A != 0');
    expect(stdout).toContain('│ 1645230445788556001 │ null │ true │ {"d":{"e":{"f":{"g":1}}}} │');
    expect(stdout).toContain('│ 2                   │      │      │                           │');
  });

  it('prints nothing when nothing matches', async () => {
    expect(await runIn({ stdin: '{"A":1}' }, 'filter', '-t', 'A == 2')).toMatchObject({
      code: 1,
      stdout: '',
    });
  });
});
