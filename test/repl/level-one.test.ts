import { describe, expect, it } from 'vitest';
import { paletteFor } from '../../src/command/palette.js';
import { createSession } from '../../src/command/session.js';
import { defineSchema, t } from '../../src/index.js';
import { runIn } from './fake-io.js';

const timed = defineSchema({ ID: t.string, At: t.time });
const files = {
  'rows.ndjson': '{"ID":"a","At":"2026-11-20T00:00:00Z"}\n{"ID":"b","At":"2026-11-22T11:00:00Z"}\n',
  'schema.json': JSON.stringify(timed.toJSON()),
};

describe('the level of the language', () => {
  it.each(['filter', 'check', 'fmt'])('%s rejects level 1 if level 0 is required', async (command) => {
    const { code, stderr } = await runIn({ files }, command, '--level', '0', 'ID in ["a"]');
    expect(code).toBe(2);
    expect(stderr).toContain('There are no lists of values');
  });

  it('has no effect on what level 0 has', async () => {
    expect(await runIn({}, 'fmt', '--level', '0', 'ID==a')).toMatchObject({ code: 0, stdout: 'ID == "a"\n' });
  });

  it('is 0 or 1', async () => {
    const { code, stderr } = await runIn({}, 'fmt', '--level', '2', 'ID==a');
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'tamis: --level is 0 or 1, not "2"\n' });
  });

  it('is that of the prompt', () => {
    const session = createSession({
      rows: [{ ID: 'a' }],
      schema: null,
      dialect: 'standard',
      level: 0,
      palette: paletteFor({ isTerminal: false }, {}),
      columns: () => 80,
      now: () => 0,
      clock: () => new Date(0),
    });
    expect(session.evaluate('ID in ["a"]\n')).toMatchObject({ text: expect.stringContaining('error: ') });
    expect(session.evaluate('ID == a\n')).toMatchObject({ text: expect.stringContaining('1 of 1 row') });
  });
});

describe('a literal that no value of the kind equals', () => {
  it('is a warning of check, with the correction', async () => {
    const { code, stdout, stderr } = await runIn(
      { files },
      'check',
      '--schema',
      'schema.json',
      'At == "2026-11-01 08:00"',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ok\n' });
    expect(stderr).toContain('no time equals "2026-11-01 08:00", so this is false for every one');
    expect(stderr).toContain('did you mean "2026-11-01T08:00:00Z"?');
  });

  it('is corrected where rows are given', async () => {
    const argv = ['check', '--schema', 'schema.json', '--rows', 'rows.ndjson', 'At == "2026-11-20 00:00"'];
    const { code, stderr } = await runIn({ files }, ...argv);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean: At == "2026-11-20T00:00:00Z"');
  });
});

describe('--now', () => {
  const after = ['filter', '--schema', 'schema.json', '--count', 'At > now - 1d', 'rows.ndjson'];

  it.each([
    ['the clock', [], '1\n'],
    ['an instant', ['--now', '2026-11-20T12:00:00Z'], '2\n'],
    ['a date', ['--now', '2026-11-24'], '0\n'],
  ])('%s', async (_, flags, stdout) => {
    expect(await runIn({ files }, ...after, ...flags)).toMatchObject({ stdout, stderr: '' });
  });

  it.each(['soon', '2026-13-01', '1764000000'])('%s is no instant', async (text) => {
    const { code, stderr } = await runIn({ files }, ...after, '--now', text);
    expect(code).toBe(2);
    expect(stderr).toContain(`--now must be an instant, not "${text}"`);
  });

  it('is the clock of a check with rows', async () => {
    const argv = ['check', '--schema', 'schema.json', '--rows', 'rows.ndjson', 'At > now - 1d'];
    expect(await runIn({ files }, ...argv, '--now', '2026-11-20')).toMatchObject({ code: 0, stdout: 'ok\n' });
  });

  it('is the clock at the prompt', () => {
    const session = createSession({
      rows: [{ ID: 'a', At: '2026-11-20T00:00:00Z' }],
      schema: timed,
      dialect: 'standard',
      palette: paletteFor({ isTerminal: false }, {}),
      columns: () => 80,
      now: () => 0,
      clock: () => new Date('2026-11-20T12:00:00Z'),
    });
    expect(session.evaluate('At > now - 1d\n')).toMatchObject({
      text: expect.stringContaining('1 of 1 row'),
    });
    expect(session.evaluate('At > now - 1h\n')).toMatchObject({
      text: expect.stringContaining('0 of 1 row'),
    });
  });
});

describe('fmt --portable', () => {
  it('writes level 0', async () => {
    const argv = ['fmt', '--portable', 'ID in ["a", "b"] and ID starts with "x."'];
    const stdout = '(ID == "a" or ID == "b") and ID matches "^x\\\\."\n';
    expect(await runIn({}, ...argv)).toMatchObject({ code: 0, stdout, stderr: '' });
  });

  it('reports everything that level 0 cannot express', async () => {
    const { code, stdout, stderr } = await runIn({}, 'fmt', '--portable', 'N > 5 and ID in []');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('not portable: level 0 has no orderings\n  1 | N > 5 and ID in []\n    |   ^');
    expect(stderr).toContain('not portable: level 0 has no lists of values');
  });

  it('reports it as JSON', async () => {
    const { code, stderr } = await runIn({}, 'fmt', '--portable', '--json', 'N > 5');
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      unportable: [{ code: 'ordering', span: { start: 2, end: 3 } }],
    });
  });

  it('uses a schema', async () => {
    const argv = ['fmt', '--portable', '--schema', 'schema.json', 'At in [2026-11-01]'];
    expect(await runIn({ files }, ...argv)).toMatchObject({ code: 0, stdout: 'At == "2026-11-01"\n' });
  });

  it('is what a schema is for', async () => {
    const { code, stderr } = await runIn({ files }, 'fmt', '--schema', 'schema.json', 'ID == a');
    expect(code).toBe(2);
    expect(stderr).toContain('--schema goes with --portable');
  });

  it('is a command at the prompt', () => {
    const session = createSession({
      rows: [{ ID: 'a' }],
      schema: null,
      dialect: 'standard',
      palette: paletteFor({ isTerminal: false }, {}),
      columns: () => 80,
      now: () => 0,
      clock: () => new Date(0),
    });
    const command = (argument: string): string =>
      session.commands.find(({ name }) => name === 'portable')?.run(argument) ?? '';
    expect(command('')).toBe('there is no filter yet: type one first\n');
    expect(command('ID like "a*"')).toBe('ID matches "^a"\n');
    expect(command('ID > "a"')).toContain('not portable: level 0 has no orderings');
    session.evaluate('ID in [a, b]\n');
    expect(command('')).toBe('ID == "a" or ID == "b"\n');
  });
});
