import { isDeepStrictEqual } from 'node:util';
import { converse } from './program.mjs';

/** @typedef {import('./data.mjs').Answer} Answer */
/** @typedef {import('./data.mjs').Case} Case */
/** @typedef {readonly [string, ...string[]]} Command */
/** @typedef {{ testCase: Case, a: Answer, b: Answer }} Difference */

const names = ['a', 'b', 'm', 'l', 'n', 'x'];
const words = [
  'a',
  '1',
  '0',
  '-1',
  '5',
  '1.5',
  '"x"',
  '""',
  '`x`',
  '"0x1"',
  'true',
  '"a b"',
  '"(?i)X"',
  '"("',
  '"/a/b"',
];
const scalars = [0, 1, -1, 5, 1.5, '', 'x', 'a', '1', '5', 'true', true, false, null];

/**
 * Whole numbers from a seed, the same on every machine.
 *
 * @param {number} seed
 * @returns {(bound: number) => number} from 0 up to but not including the bound
 */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/**
 * A case by the grammar of level 0, with a row that its names may find.
 *
 * @param {number} seed
 * @returns {Case}
 */
export function drawCase(seed) {
  const below = randomFrom(seed);
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = (list) => /** @type {T} */ (list[below(list.length)]);
  /** @param {readonly string[]} bound @returns {string} */
  const selector = (bound) => {
    const first = pick([...names, ...bound, ...bound]);
    const rest = [() => '', () => '', () => `.${pick(names)}`, () => '.0', () => `["${pick(names)}"]`];
    return below(8) === 0 ? `"/${first}/${pick(names)}"` : first + pick(rest)();
  };
  /** @param {readonly string[]} bound */
  const match = (bound) => {
    const [left, value] = [selector(bound), pick(words)];
    const operator = pick(['==', '!=', 'contains', 'not contains', 'matches', 'not matches']);
    const forms = [`${left} ${operator} ${value}`, `${value} ${pick(['in', 'not in'])} ${left}`];
    return (
      pick([...forms, forms[0], `${left} ${pick(['is empty', 'is not empty', 'is nil', 'is not nil'])}`]) ??
      ''
    );
  };
  /** @param {number} depth @param {readonly string[]} bound @returns {string} */
  const filter = (depth, bound) => {
    if (depth === 0 || below(3) === 0) return match(bound);
    const smaller = () => `(${filter(depth - 1, bound)})`;
    const binding = pick(['x', 'k, v', '_, v', 'k, _']);
    const inner = [...bound, ...binding.split(', ').filter((name) => name !== '_')];
    return pick([
      () => `${smaller()} ${pick(['and', 'or'])} ${smaller()}`,
      () => `not ${smaller()}`,
      () => `${pick(['any', 'all'])} ${selector(bound)} as ${binding} { ${filter(depth - 1, inner)} }`,
    ])();
  };
  /** @param {number} depth @returns {unknown} */
  const value = (depth) => {
    if (depth === 0 || below(2) === 0) return pick(scalars);
    if (below(2) === 0) return Array.from({ length: below(3) }, () => value(depth - 1));
    return Object.fromEntries(names.slice(0, below(4)).map((name) => [name, value(depth - 1)]));
  };
  const row = JSON.stringify(Object.fromEntries(names.slice(0, 5).map((name) => [name, value(2)])));
  return send(`f${seed}`, filter(2, []), row);
}

/**
 * @param {string} id
 * @param {string} expression
 * @param {string} row
 * @returns {Case}
 */
function send(id, expression, row) {
  return { id, family: 'fuzz', sentences: [], level: 0, expression, row, answer: {}, source: 'fuzz' };
}

/**
 * Puts the same drawn cases to two programs, and gives the first on which they differ, as small as it gets. What either skips is no
 * difference, nor are the words and the class of an error.
 *
 * @param {Command} a
 * @param {Command} b
 * @param {{ cases?: number, seed?: number }} [options] `cases`: how many (5,000)
 * @returns {Promise<Difference | null>}
 */
export async function fuzz(a, b, { cases = 5_000, seed = 1 } = {}) {
  const drawn = Array.from({ length: cases }, (_, index) => drawCase(seed + index));
  let found = (await differences(a, b, drawn))[0];
  while (found !== undefined) {
    const { expression, row = '{}' } = found.testCase;
    const smaller = shrink(expression, row).map(([text, json], index) => send(`s${index}`, text, json));
    const next = (await differences(a, b, smaller))[0];
    if (next === undefined) return found;
    found = next;
  }
  return null;
}

/**
 * @param {Command} a
 * @param {Command} b
 * @param {readonly Case[]} cases
 * @returns {Promise<Difference[]>}
 */
async function differences(a, b, cases) {
  const schemas = { structs: {} };
  const [ofA, ofB] = await Promise.all([a, b].map((command) => converse(command, schemas, cases)));
  return cases.flatMap((testCase) => {
    const [one, other] = [ofA?.answers.get(testCase.id), ofB?.answers.get(testCase.id)];
    if (one === undefined || other === undefined || one.skip !== undefined || other.skip !== undefined)
      return [];
    return isDeepStrictEqual(gist(one), gist(other)) ? [] : [{ testCase, a: one, b: other }];
  });
}

/** @param {Answer} answer */
function gist({ error, value }) {
  return error ?? value;
}

/**
 * Smaller cases: a part of the expression for the whole, a part of the row left out. Not all can be read.
 *
 * @param {string} expression
 * @param {string} row
 * @returns {(readonly [string, string])[]} the smallest first
 */
export function shrink(expression, row) {
  /** @type {Set<string>} */
  const texts = new Set();
  for (const { index } of expression.matchAll(/[({]/g)) {
    const close = closing(expression, index);
    if (close < 0) continue;
    const inner = expression.slice(index + 1, close).trim();
    texts.add(inner);
    texts.add(`${expression.slice(0, index)}${inner}${expression.slice(close + 1)}`.trim());
  }
  for (const { index, 0: word } of expression.matchAll(/ (?:and|or) /g)) {
    texts.add(expression.slice(0, index));
    texts.add(expression.slice(index + word.length));
  }
  if (expression.startsWith('not ')) texts.add(expression.slice('not '.length));
  const rows = new Set(smallerJson(JSON.parse(row)).map((json) => JSON.stringify(json)));
  return [
    ...[...texts]
      .sort((one, other) => one.length - other.length)
      .map((text) => /** @type {const} */ ([text, row])),
    ...[...rows]
      .sort((one, other) => one.length - other.length)
      .map((json) => /** @type {const} */ ([expression, json])),
  ].filter(([text, json]) => text !== '' && text.length + json.length < expression.length + row.length);
}

/**
 * @param {string} text
 * @param {number} from the place of a bracket
 */
function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if ('({'.includes(text.charAt(at))) depth += 1;
    if (')}'.includes(text.charAt(at))) depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/**
 * @param {unknown} json
 * @returns {unknown[]}
 */
function smallerJson(json) {
  if (Array.isArray(json)) {
    return json.flatMap((part, index) => [
      json.filter((_, at) => at !== index),
      ...smallerJson(part).map((less) => json.map((each, at) => (at === index ? less : each))),
    ]);
  }
  if (typeof json !== 'object' || json === null) return [];
  const entries = Object.entries(json);
  return entries.flatMap(([name, part]) => [
    Object.fromEntries(entries.filter(([other]) => other !== name)),
    ...smallerJson(part).map((less) => ({ ...json, [name]: less })),
  ]);
}
