import { isDeepStrictEqual } from 'node:util';
import { skipReasons } from './data.mjs';

/** @typedef {import('./data.mjs').Answer} Answer */
/** @typedef {import('./data.mjs').Case} Case */
/**
 * What a program says of itself before the first case.
 *
 * @typedef {object} Program
 * @property {string} name
 * @property {string} version
 * @property {0 | 1} level the highest that it reads
 * @property {readonly string[]} dialects of `go-bexpr` and `standard`
 * @property {'exact' | 'float64'} numbers what a number of no declared kind is
 * @property {boolean} trees whether its results contain trees
 * @property {boolean} classes whether its errors have the classes of the suite
 * @property {boolean} lint whether it says what is probably not meant, by the codes of the suite
 */
/** @typedef {{ kind: 'passed' } | { kind: 'skipped', reason: string } | { kind: 'failed', expected: string, got: string }} Verdict */

/**
 * Reads the first line of a program.
 *
 * @param {unknown} line
 * @returns {Program}
 * @throws {Error} that names the property
 */
export function readProgram(line) {
  if (typeof line !== 'object' || line === null) throw new Error('expected an object with name and version');
  const {
    name,
    version = '',
    level = 0,
    dialects,
    numbers = 'exact',
    trees = false,
    classes = false,
    lint = false,
  } = /** @type {Record<string, any>} */ (line);
  /** @type {(condition: boolean, what: string) => void} */
  const expect = (condition, what) => {
    if (!condition) throw new Error(`expected ${what}`);
  };
  expect(typeof name === 'string' && name !== '', 'name: a text');
  expect(typeof version === 'string', 'version: a text');
  expect(level === 0 || level === 1, 'level: 0 or 1');
  const known = dialects ?? (level === 0 ? ['go-bexpr'] : ['go-bexpr', 'standard']);
  expect(Array.isArray(known), 'dialects: a list of "go-bexpr" and "standard"');
  expect(numbers === 'exact' || numbers === 'float64', 'numbers: "exact" or "float64"');
  expect(typeof trees === 'boolean' && typeof classes === 'boolean', 'trees and classes: true or false');
  expect(typeof lint === 'boolean', 'lint: true or false');
  return { name, version, level, dialects: known, numbers, trees, classes, lint };
}

/**
 * Why a case is not put to a program.
 *
 * @param {Case} testCase
 * @param {Program} program
 * @returns {keyof typeof skipReasons | null}
 */
export function whySkip(testCase, program) {
  if (testCase.level > program.level) return 'level';
  if (!program.dialects.includes(testCase.dialect ?? 'go-bexpr')) return 'dialect';
  if (testCase.asks === 'lint' && !program.lint) return 'lint';
  const { error, class: code } = expectedOf(testCase, program);
  return error === 'decode' || (code === 'json-number' && program.numbers === 'float64') ? 'number' : null;
}

/**
 * @param {Case} testCase
 * @param {Answer} got
 * @param {Program} program
 * @returns {Verdict}
 */
export function judge(testCase, got, program) {
  const reason = whySkip(testCase, program);
  if (reason !== null) return { kind: 'skipped', reason };
  if (got.skip !== undefined) {
    if (Object.hasOwn(skipReasons, got.skip)) return { kind: 'skipped', reason: got.skip };
    const known = Object.keys(skipReasons).join(', ');
    return {
      kind: 'failed',
      expected: `one of the reasons ${known}`,
      got: `skip ${JSON.stringify(got.skip)}`,
    };
  }
  const expected = expectedOf(testCase, program);
  if (agrees(testCase, expected, got, program)) return { kind: 'passed' };
  return { kind: 'failed', expected: formatAnswer(expected), got: formatAnswer(got) };
}

/**
 * @param {Case} testCase
 * @param {Program} program
 */
function expectedOf(testCase, { numbers }) {
  return numbers === 'float64' ? (testCase.float64 ?? testCase.answer) : testCase.answer;
}

/**
 * @param {Case} testCase
 * @param {Answer} expected
 * @param {Answer} got
 * @param {Program} program
 */
function agrees(testCase, expected, got, program) {
  if (expected.error !== undefined) {
    if (got.error !== expected.error) return false;
    // What is no filter is refused by every parser at some other place.
    if (expected.error === 'syntax' || expected.class === undefined || !program.classes) return true;
    return classOf(testCase, expected, program) === classOf(testCase, got, program);
  }
  if (got.error !== undefined) return false;
  if (expected.findings !== undefined)
    return isDeepStrictEqual(new Set(got.findings), new Set(expected.findings));
  if (expected.value !== undefined) return got.value === expected.value;
  if (expected.tree === undefined || !program.trees) return got.tree !== undefined || got.accepted === true;
  return isDeepStrictEqual(got.tree, expected.tree);
}

/**
 * @param {Case} testCase
 * @param {Answer} answer
 * @param {Program} program
 */
function classOf(testCase, { class: code = '' }, { numbers }) {
  const isOther = numbers === 'float64' && (testCase.anyNumber === true || testCase.schema === undefined);
  return isOther && code.startsWith('coerce-') ? 'coerce' : code;
}

/**
 * A result in words.
 *
 * @param {Answer} answer
 */
export function formatAnswer({ tree, accepted, value, error, class: code, words, findings, skip }) {
  if (error !== undefined) {
    const what = {
      syntax: 'a syntax',
      check: 'a check',
      evaluation: 'an evaluation',
      limit: 'a limit',
      decode: 'a decoding',
    };
    const said = words === undefined ? '' : `: ${words}`;
    return `${what[error] ?? `an unknown (${String(error)})`} error${code === undefined ? '' : ` (${code})`}${said}`;
  }
  if (value !== undefined) return String(value);
  if (tree !== undefined) return JSON.stringify(tree);
  if (findings !== undefined)
    return findings.length === 0 ? 'no finding' : `findings: ${findings.join(', ')}`;
  if (skip !== undefined) return `skip ${skip}`;
  return accepted === true ? 'a tree' : 'nothing that is an answer';
}
