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
