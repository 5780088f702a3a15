import { describe, expect, it } from 'vitest';
import { createFakeIo, runIn, type World } from './fake-io.js';
import { run } from '../../src/command/run.js';

const all = 'a != 99';

/** Runs `tamis filter` on a CSV that comes in on standard input. */
function filterCsv(stdin: NonNullable<World['stdin']>, ...args: string[]): ReturnType<typeof runIn> {
  return runIn({ stdin, files: { schema } }, 'filter', '--format', 'csv', ...args);
}

const schema = JSON.stringify({
  root: 'Row',
  structs: { Row: { fields: { zip: { kind: 'string' }, n: { kind: 'int' } } } },
});

describe('CSV options of tamis filter', () => {
  it.each<[string, string, string[], string]>([
    ['--delimiter', 'a~b\n1~x,y\n', ['--delimiter', '~'], '{"a":1,"b":"x,y"}\n'],
    ['--delimiter tab', 'a,b\tc\n1\t2\n', ['--delimiter', 'tab', 'c == 2'], '{"a,b":1,"c":2}\n'],
    ['--no-header', '1,x\n', ['--no-header', 'column1 == 1'], '{"column1":1,"column2":"x"}\n'],
    ['--skip-lines', 'Report\n\na\n1\n', ['--skip-lines', '2'], '{"a":1}\n'],
    ['--comment', '#x\na\n#y\n1\n', ['--comment', '#'], '{"a":1}\n'],
    ['--null', 'a,b\n1,NA\n-,NA\n', ['--null', 'NA', '--null', '-', 'a > 0'], '{"a":1,"b":null}\n'],
    [
      '--schema',
      'zip,n\n10001,"5"\n',
      ['--schema', 'schema', 'zip == "10001" and n > 4'],
      '{"zip":"10001","n":5}\n',
    ],
    [
      '--schema with --text',
      'zip,n,x\n1,5,2\n',
      ['--schema', 'schema', '--text', 'n == 5'],
      '{"zip":"1","n":5,"x":"2"}\n',
    ],
    ['a lone CR', 'name,city\rAlice,NYC\r', ['city == NYC'], '{"name":"Alice","city":"NYC"}\n'],
  ])('reads %s', async (_, stdin, args, stdout) => {
    const filter = args.some((arg) => arg.includes(' ')) ? [] : [all];
    expect(await filterCsv(stdin, ...filter, ...args)).toMatchObject({ code: 0, stdout, stderr: '' });
  });

  it.each<[string[], string]>([
    [['--delimiter', 'ab'], '--delimiter must be one character other than a quote or a line break, got "ab"'],
    [['--delimiter', ''], '--delimiter must be one character'],
    [['--delimiter', '"'], '--delimiter must be one character'],
    [['--delimiter', '\n'], '--delimiter must be one character'],
    [['--delimiter', '\u{1f600}'], '--delimiter must be one character'],
    [['--comment', '//'], '--comment must be one character'],
    [['--comment', '\r'], '--comment must be one character'],
    [['--comment', ';', '--delimiter', ';'], '--comment and --delimiter must differ, got ";" for both'],
    [['--skip-lines', '0'], '--skip-lines must be a whole number of at least 1'],
    [['--skip-lines', '-1'], '--skip-lines must be a whole number of at least 1'],
    [['--skip-lines', '1e9'], '--skip-lines must be a whole number of at least 1'],
    [['--no-header=x'], '--no-header takes no value, got "x"'],
    [['--null'], '--null needs a value: --null TOKEN'],
    [Array(101).fill('--null=x') as string[], '--null may be given at most 100 times, got 101'],
    [[`--null=${'x'.repeat(1_001)}`], '--null must have at most 1000 characters'],
    [['--rows', 'a'], '--rows is for JSON, and standard input is read as CSV'],
    [['--csv', '--tsv'], '--csv and --tsv cannot go together'],
    [['--csv', '--pretty'], '--csv and --pretty cannot go together'],
    [['--tsv', '--count'], '--count and --tsv cannot go together'],
    [['--csv', '--facets', 'a'], '--csv and --facets cannot go together'],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await filterCsv('a\n1\n', all, ...args);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message) as string,
    });
  });

  it.each(['--text', '--delimiter=;', '--no-header', '--skip-lines=1', '--comment=#', '--null=NA'])(
    'refuses %s for JSON',
    async (option) => {
      const name = /^--[a-z-]+/.exec(option)?.[0] ?? '';
      for (const [files, where] of [
        [[], 'standard input'],
        [['x.csv', 'y.json'], 'y.json'],
      ] as const)
        expect(await runIn({ stdin: '{"a":1}' }, 'filter', all, option, ...files)).toMatchObject({
          code: 2,
          stderr: `tamis: ${name} is for CSV and TSV, and ${where} is read as JSON\n  hint: --format csv reads it as CSV\n`,
        });
    },
  );

  it('reads lines to skip, comments and a first line without end in bounded memory', async () => {
    const chunks = Array.from({ length: 40 }, () => 'x'.repeat(1_000));
    for (const args of [['--skip-lines', '1'], ['--comment', 'x'], []])
      expect(await filterCsv(chunks, all, '--max-row-bytes', '5000', ...args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('has more than 5000 characters') as string,
        chunksRead: 6,
      });
    const lines = Array.from({ length: 40 }, () => `${'x'.repeat(1_000)}\n`);
    for (const args of [
      ['--skip-lines', '40'],
      ['--comment', 'x'],
    ])
      expect(await filterCsv([...lines, 'a\n1\n'], all, '--max-row-bytes', '5000', ...args)).toMatchObject({
        code: 0,
        stdout: '{"a":1}\n',
      });
  });

  it('names --unresolved absent if a numeric column has an empty cell', async () => {
    expect(await filterCsv('n,b\n1,x\n,y\n', 'n == 1')).toMatchObject({
      code: 2,
      stdout: '{"n":1,"b":"x"}\n',
      stderr: expect.stringContaining(
        '--unresolved absent reads such a row as one without the field',
      ) as string,
    });
  });
});

describe('rows of a slow pipe', () => {
  it('are written although the types of the columns are not final', async () => {
    let resume = (): void => undefined;
    const isWritten = new Promise<void>((resolve) => (resume = resolve));
    const io = createFakeIo({});
    const stdin = {
      isTerminal: false,
      async *[Symbol.asyncIterator]() {
        yield Buffer.from('a,b\n1,x\n2,');
        await isWritten;
        yield Buffer.from('y\n');
      },
    };
    const stdout = {
      ...io.stdout,
      async write(data: string | Uint8Array) {
        await io.stdout.write(data);
        resume();
      },
    };
    expect(await run(['filter', 'a > 0', '--format', 'csv'], { ...io, stdin, stdout })).toBe(0);
    expect(io.stdout.text()).toBe('{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n');
  });
});

describe('tamis filter --csv and --tsv', () => {
  const rows =
    '{"a":"x,y","b":1.10,"c":null,"d":[1.0, 2],"e":"12","f":"","g":true,"h":"true","i":" s","j":12345678901234567890123}\n' +
    '{"a":"say \\"hi\\"\\r\\n","b":-1E400,"j":{"k":1.00}}\n';

  it('writes values so that they are read back as they were', async () => {
    const { stdout } = await runIn({ stdin: rows }, 'filter', all, '--csv');
    expect(stdout).toBe(
      'a,b,c,d,e,f,g,h,i,j\n' +
        '"x,y",1.10,,"[1.0,2]","12","",true,"true"," s",12345678901234567890123\n' +
        '"say ""hi""\r\n",-1E400,,,,,,,,"{""k"":1.00}"\n',
    );
    const typed = await runIn(
      { files: { 'x.csv': 'a,b\n"1",true\n"",false\n' } },
      'filter',
      all,
      'x.csv',
      '--csv',
    );
    expect(typed.stdout).toBe('a,b\n"1",true\n"",false\n');
  });

  it('writes TSV', async () => {
    const { stdout } = await runIn({ stdin: '{"a":"x\\ty","b":"p,q"}' }, 'filter', all, '--tsv');
    expect(stdout).toBe('a\tb\n"x\ty"\tp,q\n');
  });

  it('takes the columns from --select, and writes their names for no rows', async () => {
    const args = ['--csv', '--select', 'b,a.x,Meta["a b"]'];
    const stdin = '{"a":{"x":1.0},"b":2,"Meta":{"a b":"c"}}\n{"b":3}\n';
    const some = await runIn({ stdin }, 'filter', 'b > 0', ...args);
    expect(some.stdout).toBe('b,a.x,"Meta[""a b""]"\n2,1.0,c\n3,,\n');
    expect(await runIn({ stdin }, 'filter', 'b > 9', ...args)).toMatchObject({
      code: 1,
      stdout: 'b,a.x,"Meta[""a b""]"\n',
    });
  });

  it('refuses a row with a field that the first row does not have', async () => {
    expect(await runIn({ stdin: '{"a":1}\n{"a":2,"b":3}\n' }, 'filter', all, '--csv')).toMatchObject({
      code: 2,
      stdout: 'a\n1\n',
      stderr:
        'tamis: --csv: row 2 has the field "b", which the first row does not have\n' +
        "  hint: name the columns: --select 'a,b'\n",
    });
  });

  it('sorts before it writes', async () => {
    const { stdout } = await runIn({ stdin: '{"a":2}{"a":1}' }, 'filter', all, '--csv', '--sort', 'a');
    expect(stdout).toBe('a\n1\n2\n');
  });
});

describe('numbers as they were written', () => {
  const row =
    '{"a":12345678901234567890123,"b":1.10,"c":1E400,"d":[-0.0, {"e":1.00}],"\\u0066":1e2,"b":2.50}';

  it('are kept by --select, --select --pretty and --table', async () => {
    const select = ['--select', 'a,b,c,d,f,d["0"],d["1"].e'];
    const { stdout } = await runIn({ stdin: row }, 'filter', all, ...select);
    expect(stdout).toBe(
      '{"a":12345678901234567890123,"b":2.50,"c":1E400,"d":[-0.0, {"e":1.00}],"f":1e2,"d[\\"0\\"]":-0.0,"d[\\"1\\"].e":1.00}\n',
    );
    const pretty = await runIn({ stdin: row }, 'filter', all, '--select', 'b', '-p');
    expect(pretty.stdout).toBe('{\n  "b": 2.50\n}\n');
    const table = await runIn({ stdin: row, columns: 200 }, 'filter', all, '--table');
    expect(table.stdout).toContain('│ 12345678901234567890123 │ 2.50 │ 1E400 │ 1e2 │ [-0.0,{"e":1.00}] │');
  });

  it('are kept for rows over several lines', async () => {
    const { stdout } = await runIn(
      { stdin: '{\n"a": {\n"b": 1.0\n}\n}' },
      'filter',
      'a.b == 1',
      '--select',
      'a',
    );
    expect(stdout).toBe('{"a":{"b":1.0}}\n');
  });
});

describe('names that no row has', () => {
  const stdin = '{"Name":"a","Meta":{"owner":"x"}}\n{"Name":"b","Only":1}\n';

  it.each<[string[], string, string | null]>([
    [['--select', 'Nme'], '--select: unknown field "Nme"; the rows have Name, Meta, Only', 'Name'],
    [['--sort', '-Nme'], '--sort: unknown field "Nme"; the rows have Name, Meta, Only', 'Name'],
    [['--facets', 'Name,Onyl'], '--facets: unknown field "Onyl"; the rows have Name, Meta, Only', 'Only'],
    [
      ['--select', 'Meta.ownr', '--table'],
      '--select: unknown field "Meta.ownr"; Meta has owner',
      'Meta.owner',
    ],
    [['--select', 'zzz', '--csv'], '--select: unknown field "zzz"; the rows have Name, Meta, Only', null],
    [['--select', 'Nme', '--sort', 'Name', '--limit', '1'], '--select: unknown field "Nme"', 'Name'],
  ])('are errors: %j', async (args, message, meant) => {
    for (const world of [{ stdin }, { files: { x: stdin } }]) {
      const files = 'files' in world ? ['x'] : [];
      const { code, stderr } = await runIn(world, 'filter', 'Name != c', ...args, ...files);
      expect(code).toBe(2);
      expect(stderr).toContain(`tamis: ${message}`);
      if (meant === null) expect(stderr).not.toContain('did you mean');
      else expect(stderr).toContain(`did you mean ${meant}?`);
    }
  });

  it.each([
    [['--select', 'Only']],
    [['--sort', 'Meta.owner']],
    [['--facets', 'Only,Meta.owner']],
    [['--select', 'Only', 'Name == a']],
  ])('are valid if one row has them, even one that does not match: %j', async (args) => {
    const filter = args.length === 3 ? [] : ['Name != c'];
    expect(await runIn({ stdin }, 'filter', ...filter, ...args)).toMatchObject({ code: 0, stderr: '' });
  });

  it('are errors although nothing matches, and valid if the schema declares them or there are no rows', async () => {
    const args = ['filter', 'zip == "x"', '--select'];
    const world = { stdin: '{"zip":"1"}', files: { schema } };
    expect(await runIn(world, ...args, 'zap')).toMatchObject({ code: 2 });
    expect(await runIn(world, ...args, 'n', '--schema', 'schema')).toMatchObject({ code: 1, stderr: '' });
    expect(await runIn({ stdin: '' }, ...args, 'zap')).toMatchObject({ code: 1, stderr: '' });
  });

  it('are searched in all of a file although --limit ends the output', async () => {
    const args = ['filter', 'Name != c', '--limit', '1', '--select'];
    expect(await runIn({ files: { x: stdin } }, ...args, 'Only', 'x')).toMatchObject({ code: 0, stderr: '' });
    expect(await runIn({ files: { x: '{"Name":"a"}', y: stdin } }, ...args, 'Onyl', 'x', 'y')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean Only?') as string,
    });
    const pipe = { stdin: ['{"Name":"a"}\n', 'never'] };
    expect(await runIn(pipe, ...args, 'Nme')).toMatchObject({
      code: 2,
      chunksRead: 1,
      stderr: 'tamis: --select: unknown field "Nme"; the rows have Name\n  hint: did you mean Name?\n',
    });
    expect(await runIn(pipe, ...args, 'Only')).toMatchObject({ code: 0, chunksRead: 1, stderr: '' });
  });

  it('do not keep --limit from ending the output before damaged input', async () => {
    const damaged = '[{"a":1},{"a":2} {"a":3}]';
    expect(await runIn({ stdin: damaged }, 'filter', 'a > 0', '-n', '2', '--select', 'a')).toMatchObject({
      code: 0,
      stdout: '{"a":1}\n{"a":2}\n',
      stderr: '',
    });
  });

  it('are listed up to a limit', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `{"a":1,"key${at}":1}`).join('\n');
    const outcome = await runIn({ stdin: many }, 'filter', 'a == 1', '--select', 'zzzzzz');
    expect(outcome.stderr).toBe(
      'tamis: --select: unknown field "zzzzzz"; the rows have a, key0, key1, key2, key3, key4, key5, key6, key7, key8, ...\n',
    );
  });

  it.each<[string, string, number]>([
    ['zzz == 1', 'tamis: unknown field "zzz"; the rows have Name, Meta, Only\n', 2],
    ['Name == a or zzz is empty', 'tamis: unknown field "zzz"', 2],
    ['Meta.qqq == 1', 'tamis: unknown field "Meta.qqq"; Meta has owner\n', 2],
    ['Only == 1', '', 0],
    ['Meta.owner == x', '', 0],
  ])('are errors in check --rows: %s', async (source, stderr, code) => {
    const outcome = await runIn({ files: { x: stdin } }, 'check', '--rows', 'x', source);
    expect(outcome.code).toBe(code);
    expect(outcome.stderr.slice(0, stderr.length)).toBe(stderr);
  });

  it('are errors in check --rows --json', async () => {
    const { code, stdout } = await runIn(
      { files: { x: stdin } },
      'check',
      '--rows',
      'x',
      '--json',
      'zzz == 1',
    );
    expect({ code, result: JSON.parse(stdout) as unknown }).toEqual({
      code: 2,
      result: {
        ok: false,
        error: {
          name: 'UsageError',
          code: 'unknown-field',
          message: 'unknown field "zzz"; the rows have Name, Meta, Only',
          hint: null,
        },
        correction: null,
      },
    });
  });
});

describe('hints about input', () => {
  it.each([
    ['{"Reservations":[{"Id":"a"}]}', '--rows Reservations reads the elements of that list'],
    ['{"status":"ok","data":[{"Id":"a"}]}', '--rows data reads the elements of that list'],
    ['{"a":{"b":{"edges":[{"Id":"a"}]}}}', '--rows a.b.edges reads the elements of that list'],
  ])('name the list of a document: %s', async (stdin, hint) => {
    expect(await runIn({ stdin }, 'filter', 'Id == a')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(hint) as string,
    });
  });

  it('name -- for an expression that begins with a dash', async () => {
    expect(await runIn({}, 'filter', '-1 in a')).toMatchObject({
      code: 2,
      stderr:
        "tamis: there is no option -1\n  hint: an expression that begins with - goes after --: tamis filter -- '-1 in List'\n",
    });
  });

  it('reads now from --now in tamis sql', async () => {
    const files = { s: '{"root":"R","structs":{"R":{"fields":{"At":{"kind":"time","unit":"ms"}}}}}' };
    const args = ['sql', 'At > now - 1d', '--schema', 's', '--json'];
    const first = await runIn({ files }, ...args, '--now', '2026-01-02');
    const second = await runIn({ files }, ...args, '--now', '2026-01-03');
    expect(first.code).toBe(0);
    expect(first.stdout).not.toBe(second.stdout);
    expect(await runIn({ files }, ...args, '--now', 'x')).toMatchObject({ code: 2 });
  });
});
