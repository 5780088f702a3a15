import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { paletteFor } from '../../src/command/palette.js';
import { createSession } from '../../src/command/session.js';
import { runIn } from './fake-io.js';

const rows = [
  { region: 'eu-1', labels: { owner: 'ann' } },
  { region: 'us-2', labels: {} },
];
const file = rows.map((row) => JSON.stringify(row)).join('\n');
const files = { 'hosts.ndjson': file };

describe('names that no row has', () => {
  it('are reported by filter, with a suggestion', async () => {
    const { code, stderr } = await runIn({ files }, 'filter', 'regoin == x', 'hosts.ndjson');
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean region?');
    expect(stderr).toContain('  did you mean: region == x\n');
  });

  it('are reported for an empty result', async () => {
    const { stderr } = await runIn({ files }, 'filter', '--explain', 'labels.onwer == ann', 'hosts.ndjson');
    expect(stderr).toContain('Did you mean owner?');
  });

  it('are corrected by check', async () => {
    const fix = ['check', '--rows', 'hosts.ndjson', '--fix'];
    expect(await runIn({ files }, ...fix, "regoin = 'eu-1'")).toMatchObject({
      code: 0,
      stdout: 'region == "eu-1"\n',
    });
    const plain = await runIn({ files }, 'check', '--rows', 'hosts.ndjson', 'regoin == x');
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toContain('did you mean: region == x');
    expect(await runIn({ files }, 'check', '--rows', 'hosts.ndjson', 'region == "eu-1"')).toMatchObject({
      code: 0,
    });
  });

  it('are put right at the prompt', () => {
    const session = createSession({
      rows,
      schema: null,
      dialect: 'standard',
      palette: paletteFor({ isTerminal: false }, {}),
      columns: () => 80,
      now: () => 0,
      clock: () => new Date('2026-11-22T12:00:00Z'),
    });
    const reply = session.evaluate('regoin == "eu-1"\n');
    expect(reply.kind === 'text' ? reply.text : '').toContain(
      'did you mean: region == "eu-1"   (.fix runs it)',
    );
    const fix = session.commands.find(({ name }) => name === 'fix');
    expect(fix?.run('')).toContain('1 of 2 rows');
    expect(fix?.run('')).toBe('there is nothing to correct\n');
  });
});

describe('--schema', () => {
  it('takes a JSON Schema', async () => {
    const schema = JSON.stringify({ type: 'object', properties: { region: { type: 'string' } } });
    const outcome = await runIn({ files: { s: schema } }, 'check', '--schema', 's', 'regoin == x');
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain('did you mean region?');
  });
});

describe('a compressed file', () => {
  const packed = gzipSync(file);

  it('is read as what is in it', async () => {
    const pieces = [packed.subarray(0, 1), packed.subarray(1, 20), packed.subarray(20)];
    const outcome = await runIn({ files: { 'hosts.gz': pieces } }, 'filter', 'region == "us-2"', 'hosts.gz');
    expect(outcome).toMatchObject({ code: 0, stdout: '{"region":"us-2","labels":{}}\n' });
  });

  it('is refused where it is damaged', async () => {
    const outcome = await runIn({ files: { x: [packed.subarray(0, 25)] } }, 'filter', 'region == x', 'x');
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain('x: unexpected end of file');
  });
});

describe('fields whose names are not identifiers', () => {
  const people =
    'First Name,@ts,_id,a.b,"x,y",__proto__\nAnn,2026-11-27T00:00:00Z,1,z,q,p\nBob,2020-01-01T00:00:00Z,2,y,r,o\n';
  const filter = (...args: string[]): ReturnType<typeof runIn> =>
    runIn({ stdin: people }, 'filter', '--format', 'csv', ...args);

  it.each<[string[], string]>([
    [['["First Name"] == Ann', '--select', '["First Name"],_id'], '{"First Name":"Ann","_id":1}\n'],
    [['_id == 2', '--select', '["x,y"], ["a.b"]'], '{"x,y":"r","a.b":"y"}\n'],
    [['["@ts"] > "2026"', '--select', '[`@ts`]'], '{"@ts":"2026-11-27T00:00:00Z"}\n'],
    [['["__proto__"] == o', '--select', '__proto__'], '{"__proto__":"o"}\n'],
    [['_id > 0', '--sort', '-["First Name"]', '--select', '_id'], '{"_id":2}\n{"_id":1}\n'],
    [['_id > 0', '--sort', '["x,y"],-_id', '--select', '_id'], '{"_id":1}\n{"_id":2}\n'],
    [['_id > 0', '--csv', '--select', '["First Name"],["x,y"]'], 'First Name,"x,y"\nAnn,q\nBob,r\n'],
    [['_id > 0', '--facets', '["First Name"]'], 'First Name\n1  Ann\n1  Bob\n'],
  ])('work in %j', async (args, stdout) => {
    expect(await filter(...args)).toMatchObject({ code: 0, stdout, stderr: '' });
  });

  it('work in --rows', async () => {
    const stdin = '{"the data": {"a.b": [{"n": 1}, {"n": 2}]}}';
    const result = await runIn({ stdin }, 'filter', 'n == 2', '--rows', '["the data"]["a.b"]');
    expect(result).toMatchObject({ code: 0, stdout: '{"n": 2}\n', stderr: '' });
    const missing = await runIn({ stdin }, 'filter', 'n == 2', '--rows', '["the data"].c');
    expect(missing.stderr).toContain('there is no list of rows at ["the data"].c');
  });

  it.each<[string[], string]>([
    [
      ['_id > 0', '--sort', 'First Name'],
      '"First Name" is not a valid field name\n  hint: write ["First Name"]',
    ],
    [['_id > 0', '--select', 'a.b'], 'did you mean ["a.b"]?'],
    [['_id > 0', '--select', '["First Nam"]'], 'did you mean ["First Name"]?'],
    [['_id > 0', '--select', '["a.b"],a.b'], '["a.b"] and a.b would have the same name in the output'],
    [['_id > 0', '--select', `["${'['.repeat(10_000)}`], 'is not a valid field name'],
    [['_id > 0', '--select', '_id,'], '"" is not a valid field name'],
    [['"First Name" == Ann'], 'did you mean'],
  ])('are refused with a hint in %j', async (args, stderr) => {
    const result = await filter(...args);
    expect(result.code).toBe(2);
    if (args.length > 1) expect(result.stderr).toContain(stderr);
  });
});
