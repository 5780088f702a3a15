import { describe, expect, it } from 'vitest';
import { paletteFor } from '../../src/command/palette.js';
import { createSession, type Session, type SessionOptions } from '../../src/command/session.js';

const rows = [
  { ID: 'a', N: 1, Meta: { x: '1' } },
  { ID: 'b', N: 2, Meta: null },
  { ID: 'c', N: 1645230445788556001n, Meta: {} },
];

function sessionOf(options: Partial<SessionOptions> = {}): Session {
  let clock = 0;
  return createSession({
    rows,
    schema: null,
    dialect: 'standard',
    palette: paletteFor({ isTerminal: false }, {}),
    columns: () => 80,
    now: () => (clock += 1),
    clock: () => new Date('2026-11-22T12:00:00Z'),
    save: () => undefined,
    ...options,
  });
}

function command(session: Session, line: string): string {
  const [name, ...words] = line.split(' ');
  const found = session.commands.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no command ${name}`);
  return found.run(words.join(' '));
}

function text(session: Session, source: string): string {
  const reply = session.evaluate(source);
  return reply.kind === 'text' ? reply.text : 'INCOMPLETE';
}

describe('a session', () => {
  it('greets with an example that works', () => {
    const session = sessionOf();
    expect(session.greeting).toBe('3 rows. Type a filter such as ID == "a", or .help\n');
    expect(text(session, 'ID == "a"')).toContain('1 of 3 rows');
    expect(sessionOf({ rows: [] }).greeting).toBe('0 rows. Type a filter such as Name == "web", or .help\n');
  });

  it('shows matches, how many there are and how long it took', () => {
    expect(text(sessionOf(), 'N != 2\n')).toBe(
      [
        'ID  N                    Meta',
        'a   1                    {"x":"1"}',
        'c   1645230445788556001  {}',
        '2 of 3 rows (1.0 ms)',
        '',
      ].join('\n'),
    );
  });

  it('says when nothing matches', () => {
    expect(text(sessionOf(), 'N == 9')).toBe(
      '0 of 3 rows (1.0 ms)\n' +
        'hint: N == 9 matches none of 3 rows; there are 1 (1), 1645230445788556001 (1), 2 (1).\n',
    );
  });

  it('says nothing to an empty line', () => {
    expect(text(sessionOf(), '  \n')).toBe('');
  });

  it.each([
    ['N ==\n', 'INCOMPLETE'],
    ['N == 1 and\n', 'INCOMPLETE'],
    ['(N == 1\n', 'INCOMPLETE'],
    ['any L as x {\n', 'INCOMPLETE'],
    ['N ==\n\n', 'error: '],
    ['N ==\n  \n', 'error: '],
    ['N ==\n1\n', 'ID  N  Meta'],
    ['N = 1\n', 'error: '],
    ['N == "x\n', 'error: '],
    [') \n', 'error: '],
  ])('%j begins with %j', (source, beginning) => {
    expect(text(sessionOf(), source).slice(0, beginning.length)).toBe(beginning);
  });

  it('shows the columns that were chosen', () => {
    const session = sessionOf();
    expect(command(session, 'table Meta["x"], ID')).toBe('');
    expect(command(session, 'table')).toBe('Meta["x"], ID\n');
    expect(text(session, 'N == 1')).toMatch(/^Meta\["x"\] +ID\n1 +a\n/);
    expect(command(session, 'table ID == 1')).toBe(
      '"ID == 1" is no name of a column: write Name, Meta.owner or ["First Name"]\n',
    );
    expect(command(session, 'table not ID')).toMatch(/is no name of a column/);
    expect(command(session, 'table auto')).toBe('');
    expect(text(session, 'N == 2')).toMatch(/^ID +N +Meta\n/);
  });

  it('measures a filter', () => {
    const session = sessionOf();
    expect(command(session, 'time N == 1')).toBe(
      'compiled in 1.00 ms; 3 rows in 1.00 ms at best, 3,000 rows/s; 1 match\n',
    );
    expect(command(session, 'time N =')).toContain('error: ');
    expect(command(session, 'time')).toBe('.time takes a filter\n');
  });

  it('saves the last matches, integers exact', () => {
    const files = new Map<string, string>();
    const session = sessionOf({ save: (path, chunks) => void files.set(path, [...chunks].join('')) });
    text(session, 'N != 2');
    expect(command(session, 'save a b.ndjson')).toBe('2 rows written to "a b.ndjson"\n');
    expect(files.get('a b.ndjson')).toBe(
      '{"ID":"a","N":1,"Meta":{"x":"1"}}\n{"ID":"c","N":1645230445788556001,"Meta":{}}\n',
    );
  });

  it.each([
    ['EACCES', '"f" was not written: it may not be\n'],
    ['ENOENT', '"f" was not written: there is no such folder\n'],
    ['ENOSPC', '"f" was not written: disk\n'],
  ])('says why a file cannot be written: %s', (code, result) => {
    const session = sessionOf({
      save() {
        throw Object.assign(new Error('disk'), { code });
      },
    });
    expect(command(session, 'save f')).toBe(result);
  });

  it('draws the place of a mistake', () => {
    expect(text(sessionOf(), 'N = 1\n')).toBe(
      [
        'error: 1:3: expected an operator such as == or in, found "="',
        '  1 | N = 1',
        '    |   ^',
        '  hint: Use == for equality.',
        '  did you mean: N == 1   (.fix runs it)',
        '',
      ].join('\n'),
    );
  });

  it('names the row that does not fit, and the way out', () => {
    const session = sessionOf();
    const failed = text(session, 'Meta.x != 3');
    expect(failed).toContain('error: row 2: ');
    expect(failed).toContain('hint: .unresolved absent reads such rows as if they had no such field\n');
    expect(command(session, 'unresolved absent')).toBe('');
    expect(text(session, 'Meta.x != 3')).toContain('3 of 3 rows');
    expect(command(session, 'unresolved')).toBe('absent\n');
    expect(command(session, 'unresolved maybe')).toBe('.unresolved takes error or absent\n');
  });

  it('limits what is shown', () => {
    const session = sessionOf();
    expect(command(session, 'limit 1')).toBe('');
    expect(command(session, 'limit')).toBe('1\n');
    expect(text(session, 'N != 9')).toContain('3 of 3 rows, the first 1 shown');
    for (const wrong of ['0', '-1', '1.5', 'x']) {
      expect(command(session, `limit ${wrong}`)).toBe('.limit takes a whole number of at least 1\n');
    }
    expect(command(session, 'limit')).toBe('1\n');
  });

  it('counts', () => {
    const session = sessionOf();
    expect(command(session, 'count')).toBe('3\n');
    expect(command(session, 'count N != 2')).toBe('2\n');
    expect(command(session, 'count N =')).toContain('error: ');
    expect(command(session, 'count Meta.x == 1')).toContain('error: row 2');
  });

  it('shows whole rows', () => {
    const session = sessionOf();
    expect(command(session, 'show 3')).toBe(
      '{\n  "ID": "c",\n  "N": 1645230445788556001,\n  "Meta": {}\n}\n',
    );
    text(session, 'N == 2');
    expect(command(session, 'show')).toBe('{\n  "ID": "b",\n  "N": 2,\n  "Meta": null\n}\n');
    expect(command(session, 'show 2')).toBe('there is one match: .show takes 1\n');
    expect(command(session, 'show x')).toContain('.show takes');
  });

  it('describes the fields', () => {
    const session = sessionOf();
    expect(command(session, 'schema')).toBe(
      [
        '  ID    string    a, b, c',
        '  N     number    1, 2, 1645230445788556001',
        '  Meta  map | null',
        '',
      ].join('\n'),
    );
    expect(command(session, 'schema Meta')).toBe('  x  string    1\n');
    expect(command(session, 'schema N')).toBe('error: there are no fields in "N"\n');
  });

  it('formats', () => {
    expect(command(sessionOf(), 'fmt N==1 and(a!=b)')).toBe('N == 1 and a != "b"\n');
    expect(command(sessionOf(), 'fmt N=')).toContain('error: ');
  });

  it('helps with every command', () => {
    const session = sessionOf();
    const help = command(session, 'help');
    for (const { name } of session.commands) expect(help).toContain(`  .${name}`);
  });

  it('keeps to the dialect', () => {
    expect(text(sessionOf({ dialect: 'go-bexpr' }), 'not(N == 1)')).toContain('error: ');
    expect(text(sessionOf(), 'not(N == 1)')).toContain('2 of 3 rows');
  });
});
