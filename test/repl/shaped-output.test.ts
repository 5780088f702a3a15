import { describe, expect, it } from 'vitest';
import { defineSchema, t } from '../../src/index.js';
import { runIn, type World } from './fake-io.js';

const rows = [
  '{"ID":"a","N":2,"Tags":["x","y"],"Meta":{"a b":"1"}}',
  '{"ID":"b","N":10,"Tags":["y","y"]}',
  '{"ID":"c","N":2.5,"Tags":[],"Big":1645230445788556001}',
  '{"ID":"d","N":"2","Tags":null}',
];
const stdin = `${rows.join('\n')}\n`;
const all = 'ID is not empty';

describe('tamis filter', () => {
  it.each<[string, World, string[], string]>([
    [
      'chosen fields',
      { stdin },
      ['--select', 'ID, Meta["a b"],Big', '-n1'],
      '{"ID":"a","Meta[\\"a b\\"]":"1"}\n',
    ],
    [
      'all digits of chosen fields',
      { stdin },
      ['ID == c', '--select', 'Big'],
      '{"Big":1645230445788556001}\n',
    ],
    [
      'an order',
      { stdin },
      ['--sort', 'N', '--select', 'ID'],
      '{"ID":"a"}\n{"ID":"c"}\n{"ID":"b"}\n{"ID":"d"}\n',
    ],
    [
      'an order from above',
      { stdin },
      ['--sort', '-N', '--select', 'ID'],
      '{"ID":"d"}\n{"ID":"b"}\n{"ID":"c"}\n{"ID":"a"}\n',
    ],
    [
      'rows without the field after all others',
      { stdin },
      ['--sort', 'Big,-ID', '--select', 'ID'],
      '{"ID":"c"}\n{"ID":"d"}\n{"ID":"b"}\n{"ID":"a"}\n',
    ],
    [
      'the exact reverse',
      { stdin },
      ['--sort', '-Big,ID', '--select', 'ID'],
      '{"ID":"a"}\n{"ID":"b"}\n{"ID":"d"}\n{"ID":"c"}\n',
    ],
    [
      'equal rows in the direction of the last field',
      { stdin: '{"ID":0,"N":1}\n{"ID":1,"N":1}\n{"ID":2}\n{"ID":3,"N":null}\n{"ID":4,"N":[]}\n' },
      ['ID >= 0', '--sort', '-N', '--select', 'ID'],
      '{"ID":4}\n{"ID":3}\n{"ID":2}\n{"ID":1}\n{"ID":0}\n',
    ],
    [
      'numbers, strings, booleans and other values without a schema',
      {
        stdin: [
          '"a"',
          'true',
          '9007199254740993',
          '9007199254740992.5',
          '"\uff01"',
          '[]',
          '-0.5',
          'false',
          '"10"',
          '-1',
          '0',
        ]
          .map((N, ID) => `{"ID":${ID},"N":${N}}\n`)
          .join(''),
      },
      ['ID >= 0', '--sort', 'N', '--select', 'ID', '--csv'],
      'ID\n9\n6\n10\n3\n2\n8\n0\n4\n7\n1\n5\n',
    ],
    ['the first of an order, byte for byte', { stdin }, ['--sort', '-ID', '--limit', '1'], `${rows[3]}\n`],
    [
      'counts of values',
      { stdin },
      ['--facets', 'Tags,Big'],
      'Tags\n2  y\n1  x\n2  (none)\n\nBig\n1  1645230445788556001\n3  (none)\n',
    ],
    [
      'counts as JSON',
      { stdin },
      ['--facets', 'Tags', '--json'],
      '{"field":"Tags","values":[{"value":"y","count":2},{"value":"x","count":1}],"others":0,"without":2}\n',
    ],
    [
      'a document',
      { stdin: '{"kind":"List","items":[{"ID":"a"},{"ID":"b"}]}\n' },
      ['ID == b'],
      '{"ID":"b"}\n',
    ],
    [
      'a document over lines',
      { stdin: '{\n"data": [\n{"ID":"a"},\n{"ID":"b"}]\n}' },
      ['ID == b'],
      '{"ID":"b"}\n',
    ],
    ['rows that look like documents', { stdin: '{"ID":"a","items":[{}]}\n{"ID":"b"}\n' }, ['-c'], '2\n'],
    ['elements that look like documents', { stdin: '[{"ID":"a","items":[{}]}]' }, ['-c'], '1\n'],
    ['a row that is told to be one', { stdin: '{"ID":"a","items":[{}]}' }, ['-c', '--format', 'json'], '1\n'],
    ['a list that is told', { stdin: '{"a":{"b":[{"ID":"x"}]}}' }, ['--rows', 'a.b'], '{"ID":"x"}\n'],
    [
      'a table of a file',
      { files: { 'x.CSV': 'ID,N\na,1\nb,2\n' } },
      ['N > 1', 'x.CSV'],
      '{"ID":"b","N":2}\n',
    ],
    ['tabs', { stdin: 'ID\tN\na\t007\n' }, ['N == "007"', '-f', 'tsv'], '{"ID":"a","N":"007"}\n'],
    ['cells as texts', { stdin: 'ID,N\na,1\n' }, ['--format', 'csv', '--text'], '{"ID":"a","N":"1"}\n'],
  ])('%s', async (_, world, options, stdout) => {
    const first = options[0] ?? '';
    const args = /^[A-Z]/.test(first) ? options : [all, ...options];
    expect(await runIn(world, 'filter', ...args)).toMatchObject({
      code: 0,
      stdout,
      stderr: expect.not.stringContaining('tamis:'),
    });
  });

  it.each([
    [['--select', 'a b'], '--select: "a b" is not a valid field name'],
    [['--select', 'a == 1 or b'], '--select: "a == 1 or b" is not a valid field name'],
    [['--sort', ','], '--sort names no field'],
    [['--facets', 'ID', '--count'], '--count and --facets cannot go together'],
    [['--facets', 'ID', '--sort', 'ID'], '--facets and --sort cannot go together'],
    [['--count', '--select', 'ID'], '--count and --select cannot go together'],
    [['--rows', 'a.b'], 'there is no list of rows at a.b'],
    [['--format', 'csv', 'x'], 'column "N" must be an integer, as in the first 1000 rows, got "n/a"'],
  ])('%j: %s', async (options, message) => {
    const lines = Array.from({ length: 1_000 }, (_, at) => `${at},x\n`).join('');
    const world = { stdin: '{"ID":"a"}', files: { x: `N,ID\n${lines}n/a,y\n` } };
    const { code, stderr } = await runIn(world, 'filter', all, ...options);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) as string });
  });

  it('continues after a row of a table that does not fit', async () => {
    const world = { files: { 'x.csv': 'ID\na\nb,c\nd\n' } };
    expect(await runIn(world, 'filter', all, 'x.csv', '-s')).toMatchObject({
      code: 0,
      stdout: '{"ID":"a"}\n{"ID":"d"}\n',
      stderr: expect.stringContaining('1 of 3 rows skipped') as string,
    });
  });
});

describe('tamis check --fix', () => {
  it.each([
    ['a == 1 and a == 1', [], 'a == 1\n'],
    ['a == 1 and a == 1', ['--no-lint'], 'a == 1 and a == 1\n'],
    ["a = '1' && a == 1", [], 'a == "1"\n'],
    ['a == 1', [], 'a == 1\n'],
  ])('%s %j', async (source, options, stdout) => {
    expect(await runIn({}, 'check', '--fix', source, ...options)).toMatchObject({ code: 0, stdout });
  });
});

describe('completion', () => {
  it.each([
    [['fi'], 'words\nfilter\n'],
    [['filter', '--fo'], 'words\n--format\n'],
    [['filter', '--format', 'j'], 'words\njson\n'],
    [['filter', '-f', 't'], 'words\ntsv\n'],
    [['filter', '--format=j'], 'words\n--format=json\n'],
    [['filter', '--limit', ''], 'words\n'],
    [['filter', '--limit='], 'words\n'],
    [['filter', '--schema=s'], 'files\n'],
    [['filter', '--schema', ''], 'files\n'],
    [['filter', '--count', ''], 'files\n'],
    [['filter', '--', '--fo'], 'files\n'],
    [['completion', 'z'], 'words\nzsh\n'],
    [['help', 'f'], 'words\nfilter\nfmt\n'],
    [['nothing', ''], 'words\n'],
  ])('of %j', async (line, stdout) => {
    expect(await runIn({}, '__complete', ...line)).toMatchObject({ code: 0, stdout });
  });

  it.each(['bash', 'zsh', 'fish'])('has a script for %s', async (shell) => {
    const { code, stdout } = await runIn({}, 'completion', shell);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('tamis __complete') as string,
    });
  });

  it('rejects an unknown shell and lists those that it supports', async () => {
    expect(await runIn({}, 'completion', 'sh')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unsupported shell "sh"; use bash, zsh or fish') as string,
    });
  });
});

describe('tamis filter --sort with a schema', () => {
  const schema = defineSchema({
    Version: t.version,
    Timeout: t.duration,
    Address: t.nullable(t.ip),
    At: t.time,
    Size: t.bytes('MiB'),
    Inner: t.struct({ Version: t.version }),
    Labels: t.map(t.duration),
    Up: t.bool,
    Name: t.string,
  });
  const files = { s: JSON.stringify(schema) };

  it.each<[string, readonly unknown[], string]>([
    ['Version', ['1.9.0', '1.10.0', '1.10.0-rc.1', 'v1.2.0'], '3 0 2 1'],
    ['-Version', ['1.9.0', '1.10.0', '1.10.0-rc.1', 'v1.2.0'], '1 2 0 3'],
    ['Timeout', ['90s', '1h', '2m', '500ms'], '3 0 2 1'],
    ['Address', ['10.0.0.10', '9.9.9.9', '10.0.0.9', '::1', null], '1 2 0 3 4'],
    ['-Address', ['10.0.0.10', null, '9.9.9.9'], '1 0 2'],
    ['At', ['2026-11-01T10:00:00+02:00', '2026-11-01T09:00:00Z', '2026-11-01T07:59:59Z'], '2 0 1'],
    ['Size', [512, 64, 1024], '1 0 2'],
    ['Up', [true, false], '1 0'],
    ['Name', ['\ufb01', '\u{1f600}', 'Z', 'a'], '2 3 0 1'],
    ['Version', ['1.9.0', 'latest', undefined, '1.10.0'], '0 3 1 2'],
    ['-Version', ['1.9.0', 'latest', undefined, '1.10.0'], '2 1 3 0'],
    ['Version', ['1.0.0-9', '1.0.0-a', '1.0.0-10', '1.0.0', '1.0.0-9.1', '1.0.0-9-x'], '0 4 2 5 1 3'],
    ['Timeout', ['-1s', '0', '1ns', '-1ns', 'soon', null], '0 3 1 2 4 5'],
    ['-Up', [true, null, false], '1 0 2'],
  ])('orders %s %j by value', async (sort, values, expected) => {
    const field = sort.replace('-', '');
    const given = values.map((value, id) => JSON.stringify({ id, [field]: value })).join('\n');
    const world = { stdin: given, files };
    const args = ['--schema', 's', '--sort', sort, '--select', 'id', 'Name != "none"'];
    const { stdout } = await runIn(world, 'filter', ...args);
    expect([...stdout.matchAll(/\d+/g)].join(' ')).toBe(expected);
  });

  it.each(['Inner.Version', 'Labels.k'])('orders the nested field %s by value', async (path) => {
    const rows = [
      { id: 0, Inner: { Version: '1.9.0' }, Labels: { k: '90s' } },
      { id: 1, Inner: { Version: '1.10.0' }, Labels: { k: '1h' } },
      { id: 2, Inner: { Version: '1.2.0' }, Labels: { k: '2s' } },
    ];
    const stdin = rows.map((row) => JSON.stringify(row)).join('\n');
    const args = ['--schema', 's', '--sort', path, '--select', 'id', 'Name != "none"'];
    const { stdout } = await runIn({ stdin, files }, 'filter', ...args);
    expect([...stdout.matchAll(/\d+/g)].join(' ')).toBe('2 0 1');
  });
});
