import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runConformance, type Outcome } from './command.js';

let position: string;

beforeAll(() => {
  position = mkdtempSync(join(tmpdir(), 'tamis-vectors-'));
});

afterAll(() => {
  rmSync(position, { recursive: true, force: true });
});

/** Writes a folder of vectors and runs them. */
function runOn(name: string, files: Readonly<Record<string, readonly object[]>>, ...args: string[]): Outcome {
  mkdirSync(join(position, name));
  for (const [file, lines] of Object.entries(files)) {
    writeFileSync(join(position, name, file), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  return runConformance(['--vectors', name, ...args], [position]);
}

const tree = { type: 'match', operator: '==', selector: { kind: 'bexpr', path: ['a'] }, value: '1' };
const parses = { id: 'p1', family: 'one', expr: 'a == 1', ok: true, ast: tree };
const datums = [{ id: 'd1', json: '{"a":1,"t":"\u2028"}' }];
const matches = { id: 'u1', family: 'two', expr: 'a == 1', datum: 'd1', ok: true, result: true };

describe('the conformance command', () => {
  const wrong: readonly (readonly [string, Readonly<Record<string, readonly object[]>>, string])[] = [
    ['another tree', { 'parse.jsonl': [{ ...parses, expr: 'a == 2' }] }, 'p1 (one) "a == 2": expected {'],
    [
      'a refusal',
      { 'parse.jsonl': [{ ...parses, ok: false, class: 'no-match' }] },
      'expected a syntax error (no-match)',
    ],
    ['a tree', { 'parse.jsonl': [{ ...parses, expr: 'a =' }] }, 'got a syntax error (no-match)'],
    [
      'another answer',
      { 'eval-untyped.jsonl': [{ ...matches, result: false }] },
      'on {"a":1,"t":"\u2028"}: expected false, got true',
    ],
    [
      'an error',
      { 'eval-untyped.jsonl': [{ ...matches, ok: false, stage: 'eval', class: 'no-nil' }] },
      'error (no-nil)',
    ],
    [
      'another class',
      { 'eval-untyped.jsonl': [{ ...matches, expr: 'b == 1', ok: false, stage: 'eval', class: 'no-nil' }] },
      'got an evaluation error (find-no-key)',
    ],
    ['an unknown type', { 'eval-typed.jsonl': [{ ...matches, type: 'Nosuch' }] }, 'Nosuch'],
  ];

  it.each(wrong)('reports %s', (name, files, line) => {
    const { output, exitCode } = runOn(name, { 'datums.jsonl': datums, ...files });
    expect(output).toContain(line);
    expect(output).toMatch(/\n0 passed, 1 failed, 0 skipped\n$/);
    expect(exitCode).toBe(1);
  });

  it('counts what agrees and what is skipped, and says what is not there', () => {
    const decode = { ...matches, id: 'u2', asFloat64: { ok: false, stage: 'decode' } };
    const { output, errors, exitCode } = runOn('sound', {
      'parse.jsonl': [parses],
      'eval-untyped.jsonl': [matches, decode],
      'datums.jsonl': datums,
    });
    expect(output).toMatch(/skipped 1: .*\n2 passed, 0 failed, 1 skipped\n$/);
    expect(errors).toMatch(
      /^note: eval-typed.jsonl: not there, not run\nnote: types.json: not there, using .*\n$/,
    );
    expect(exitCode).toBe(0);
  });

  it('runs the suite, or some of it', () => {
    const { output, errors, exitCode } = runConformance(['--only', 'keyword', '--only', 'u00010'], []);
    expect([output, errors, exitCode]).toEqual(['318 passed, 0 failed, 0 skipped\n', '', 0]);
  });

  it('refuses a folder and options that are no good', () => {
    writeFileSync(join(position, 'file'), '');
    mkdirSync(join(position, 'empty'));
    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [['--vectors', 'nowhere'], /nowhere: there is no such folder/],
      [['--vectors', 'file'], /file: this is not a folder/],
      [['--vectors', 'empty'], /empty: holds none of parse.jsonl, eval-untyped.jsonl, eval-typed.jsonl/],
      [['--only', 'nosuch'], /no case named nosuch/],
      [['--nosuch'], /Unknown option '--nosuch'/],
    ];
    for (const [args, message] of refusals) {
      const { output, errors, exitCode } = runConformance(args, [position]);
      expect(errors).toMatch(message);
      expect([output, exitCode]).toEqual(['', 2]);
    }
    expect(runOn('malformed', { 'parse.jsonl': [{ family: 'one' }] }).errors).toMatch(
      /parse.jsonl:1: expected an object with an id/,
    );
    const lost = { 'eval-untyped.jsonl': [{ ...matches, datum: 'd2' }], 'datums.jsonl': datums };
    expect(runOn('lost', lost).errors).toMatch(/vector u1: there is no datum d2/);
  });
});
