import { defineSchema, t, type FieldDefinition } from '../../src/index.js';
import type { Random } from './random.js';

/** A text that is made to cost much before the first row. */
export interface CostlyText {
  /** What makes it dear. */
  readonly family: string;
  readonly text: string;
}

/** Most characters of a text; see `maxLength`. */
const maxLength = 65_536;

const kinds: readonly FieldDefinition[] = [
  t.string,
  t.int,
  t.bool,
  t.list(t.string),
  t.map(t.string),
  t.float64,
];

/** Three hundred fields, and one of each kind. */
export const wideSchema = defineSchema({
  ...{ s: t.string, n: t.int, L: t.list(t.string), M: t.map(t.string), ip: t.ip, v: t.version, T: t.time },
  ...{ D: t.duration, B: t.bytes('KiB'), f: t.float64, b: t.bool, status: t.oneOf('running', 'pending') },
  ...{
    deep: t.struct({ er: t.struct({ est: t.list(t.struct({ Name: t.string, Tags: t.list(t.string) })) }) }),
  },
  ...Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `Field${'ABCDEFGH'[at % 8] ?? ''}${at}Name`,
      kinds[at % 6] ?? t.any,
    ]),
  ),
});

type Write = (random: Random) => string;

/** A text of many clauses, as many as there is room for, joined in one of the ways. */
function filled(random: Random, clause: (at: number) => string, room = maxLength, max = 2_000): string {
  const join = random.pick([' or ', ' and ']);
  let text = clause(0);
  for (let at = 1; at < max; at += 1) {
    const next = join + clause(at);
    if (text.length + next.length > room) break;
    text += next;
  }
  return text;
}

function repeat(random: Random, min: number, max: number, part: (at: number) => string): string {
  return Array.from({ length: min + random.below(max - min + 1) }, (_, at) => part(at)).join('');
}

/** Somewhere among the letters that have case, and the marks and signs between. */
const blocks = [
  0x41, 0xc0, 0x100, 0x1e00, 0x370, 0x400, 0x10a0, 0x13a0, 0x1c80, 0x2c00, 0xa640, 0xab53, 0x10400,
];

function letter(random: Random): number {
  const code = random.pick(blocks) + random.below(random.pick([2, 32, 256, 2_048]));
  return code >= 0xd800 && code < 0xe000 ? 0x100 : code;
}

function range(random: Random): string {
  const low = letter(random);
  const reach = random.pick([0, 1, 32, 256, 4_096, 0x10ffff]);
  const high = Math.min(low + reach, 0x10ffff);
  const last = high >= 0xd800 && high < 0xe000 ? 0xe000 : high;
  const [from, to] = [String.fromCodePoint(low), String.fromCodePoint(last)].map((each) =>
    /[\\\]^`[-]/.test(each) ? 'x' : each,
  );
  return low === last || from === 'x' || to === 'x' ? (from ?? '') : `${from ?? ''}-${to ?? ''}`;
}

const names = [
  'L',
  'Lu',
  'Ll',
  'N',
  'P',
  'S',
  'M',
  'C',
  'Greek',
  'Latin',
  'Han',
  'Common',
  'Arabic',
  'Cyrillic',
  'Thai',
];

function named(random: Random): string {
  const name = random.pick(names);
  const letter = random.pick(['p', 'P']);
  return random.chance(0.3)
    ? `[[:^${random.pick(['alpha', 'word', 'print'])}:]${range(random)}]`
    : `\\${letter}{${name}}`;
}

const pieces: Readonly<Record<string, Write>> = {
  ranges: (random) => `[${repeat(random, 1, random.pick([1, 3, 60, 300]), () => range(random))}]`,
  names: named,
  literals: (random) => repeat(random, 1, 12, () => random.pick(['a', 'b', 'é', '0', '-', 'K', 'ſ'])),
  loops: (random) =>
    `(${range(random)}|${random.pick(['a', 'b', 'ab'])})${random.pick(['*', '+', '?', '{2,9}', '{0,40}'])}`,
  counts: (random) =>
    `${random.pick(['a', '[ab]', '(a|b)', '[a-z]'])}{${random.below(9)},${9 + random.below(60)}}`,
  gaps: (random) =>
    random.pick(['.*', '.+', '.?', '(?s:.*)', '.{1,9}', '\\b', '(?m:^)', '$', '\\w+', '\\W*']),
  words: (random) =>
    repeat(
      random,
      1,
      40,
      (at) => `${at === 0 ? '' : '|'}${random.pick(['web', 'w', 'db'])}${random.below(99)}`,
    ),
  nests: (random) => {
    const depth = random.pick([3, 30, 120]);
    return `${'(a|'.repeat(depth)}b${random.pick([')', ')?', ')*']).repeat(depth)}`;
  },
};

function pattern(random: Random, kind: string, length: number): string {
  const own = pieces[kind] ?? pieces.literals;
  let text = random.chance(0.5) ? '(?i)' : '';
  if (random.chance(0.3)) text += '^';
  for (let tries = 0; tries < 2_000; tries += 1) {
    const other = random.pick(Object.keys(pieces));
    const piece = (random.chance(0.8) ? own : pieces[other])?.(random) ?? '';
    if (text.length + piece.length > length) {
      if (text.length > length / 2 || tries > 20) break;
      continue;
    }
    text += piece;
  }
  return `s matches \`${random.chance(0.3) && text.length < length ? `${text}$` : text || 'a'}\``;
}

function patterns(random: Random, kind: string): string {
  const length = random.pick([8, 16, 30, 60, 120, 300, 990]);
  const few = Array.from({ length: 8 }, () => pattern(random, kind, length));
  const isNew = random.chance(0.8);
  return filled(
    random,
    () => (isNew ? pattern(random, kind, length) : random.pick(few)),
    random.pick([8_192, maxLength]),
  );
}

const literals = [
  '"x"',
  '5',
  '1.5',
  '7d',
  '10.0.0.1',
  '10.0.0.0/8',
  '1.2.3',
  '2026-11-01',
  '"é"i',
  '`r`',
  '512MiB',
  'true',
];

function value(random: Random, at: number): string {
  return random.pick([
    ...literals,
    `"v${at}"`,
    `${at}`,
    `1.${at}.0`,
    `10.0.${at % 256}.1`,
    `${at}s`,
    `"w${at % 40}"`,
  ]);
}

const fields = [
  's',
  'n',
  'L',
  'M',
  'ip',
  'v',
  'T',
  'D',
  'B',
  'f',
  'b',
  'status',
  'deep.er.est.0.Name',
  'M.a',
  'FieldA0Name',
];
const operators = [
  '==',
  '!=',
  '<',
  '<=',
  '>',
  'contains',
  'not contains',
  'starts with',
  'like',
  'in [1, "a"] or s ==',
];

/** What has no patterns. */
const plain: Readonly<Record<string, Write>> = {
  'one field': (random) => {
    const [field, operator] = [random.pick(fields), random.pick(operators)];
    const form = value(random, 1).replace(/[0-9]+/, '#');
    return filled(random, (at) => `${field} ${operator} ${form.replace('#', String(at))}`);
  },
  'all fields': (random) =>
    filled(random, (at) => `${random.pick(fields)} ${random.pick(operators)} ${value(random, at)}`),
  'one clause': (random) => {
    const clause = `${random.pick(fields)} ${random.pick(operators)} ${value(random, 0)}`;
    return filled(random, () => clause);
  },
  lists: (random) => {
    const size = random.pick([1, 20, 700, 2_000]);
    const field = random.pick(fields);
    const make = random.chance(0.5) ? (at: number) => value(random, at) : (at: number) => `${at % 99}`;
    return filled(
      random,
      () => `${field} in [${Array.from({ length: size }, (_, at) => make(at)).join(',')}]`,
    );
  },
  'wrong names': (random) => {
    const wrong = (at: number): string =>
      `Fie${random.pick(['', 'l', 'd', 'ld', 'dl'])}${random.below(1_000)}${random.pick(['Nam', 'Name', 'Nmae', ''])}${at % 7}`;
    const path = random.pick(['', '.a', '.b.c', '["x"]']);
    return filled(random, (at) => `${wrong(at)}${path} == ${at}`);
  },
  'long names': (random) => filled(random, (at) => `${'Field'.repeat(1 + random.below(14))}${at} == 1`),
  'wrong kinds': (random) =>
    filled(
      random,
      (at) =>
        `${random.pick(['L', 'M', 'n', 'b', 'deep'])} ${random.pick(['==', '<', 'matches', 'in', 'is empty or n =='])} ${value(random, at)}`,
    ),
  paths: (random) => {
    const part = random.pick(['.a', '.0', '["a"]', '.er.est', '."a"', '.FieldA0Name']);
    return filled(
      random,
      () => `${random.pick(['a', 'M', 'deep', 'L'])}${part.repeat(random.pick([1, 30, 400, 12_000]))} == 1`,
    );
  },
  depth: (random) => {
    const depth = random.pick([20, 95]);
    const [open, close] = random.pick([
      ['(', ')'],
      ['not (', ')'],
      ['any deep.er.est as x { ', ' }'],
      ['any L as x { ', ' }'],
      ['(s == "a" or ', ')'],
      ['(n < 5 and ', ')'],
    ] as const);
    const inner =
      plain[random.pick(['one field', 'all fields', 'wrong names', 'lists'])]?.(random) ?? 's == 1';
    const room = maxLength - depth * (open.length + close.length);
    const cut = inner.slice(0, room);
    const end = Math.max(cut.lastIndexOf(' or '), cut.lastIndexOf(' and '));
    return (
      open.repeat(depth) +
      (inner.length <= room ? inner : cut.slice(0, Math.max(end, 0)) || 's == 1') +
      close.repeat(depth)
    );
  },
  bodies: (random) =>
    filled(
      random,
      (at) =>
        `any ${random.pick(['L', 'M', 'deep.er.est', 'gone'])} as x${at % 5}${random.pick(['', ', y'])} { x${at % 5} ${random.pick(['==', 'contains'])} ${value(random, at)} }`,
    ),
  references: (random) =>
    filled(random, () => `${random.pick(fields)} ${random.pick(['==', '<', '!='])} @${random.pick(fields)}`),
  globs: (random) =>
    filled(
      random,
      (at) => `s ${random.pick(['like', 'not like', '=='])} "${'*a?'.repeat(1 + random.below(9))}${at}%"`,
    ),
  'long text': (random) =>
    `s ${random.pick(['==', 'contains', 'like', 'starts with', 'in [1] or s =='])} "${random.pick(['x', 'é', '\\n', '\\u00e9', 'a*', '\u200b']).repeat(9_000)}"`,
  negations: (random) =>
    filled(
      random,
      (at) => `${'not '.repeat(1 + random.below(9))}s ${random.pick(['!=', 'not contains'])} "w${at}"`,
    ),
};

const slips = [
  ' &&',
  ' = 5',
  ' == ',
  ' ===',
  ')',
  '(',
  '"',
  ' or',
  ' and and s',
  ' LIKE "a%"',
  ' IN (1, 2)',
  ' == null',
  ' s == a b',
  ' between 1 and 5',
  ' || n == 1',
  ' not s',
  '; n == 1',
  ' {',
  ' s.startsWith("a")',
  ' s ~ "x"',
  ' s is missing',
  ' == "a" "b"',
  ' n == 5 mb',
  ' s == \u201ca\u201d',
  ' ! s == 1',
  ' s <> 1',
  ' [',
  ' s in',
  ' s == 1,',
  ' #',
  ' len(s',
  ' n => 5',
  ' exists(s)',
];

/** A filter and a slip in it, at the beginning, within, or at the end. */
function slip(random: Random): string {
  const kind = random.pick(Object.keys(plain));
  const text = plain[kind]?.(random) ?? '';
  const room = text.slice(0, maxLength - 64);
  const at = random.pick([0, room.length >> 1, room.length]);
  const wrong = random.pick(slips);
  if (random.chance(0.2))
    return room.replaceAll(' == ', random.pick([' = ', ' === ', ' <> ', ' eq '])).slice(0, maxLength);
  if (random.chance(0.2))
    return room
      .replaceAll(/ (?:and|or) /g, random.pick([' && ', ' || ', ', ', ' AND ', ' ']))
      .slice(0, maxLength);
  return room.slice(0, at) + wrong + room.slice(at);
}

const families: Readonly<Record<string, Write>> = {
  ...Object.fromEntries(
    Object.keys(pieces).map((kind) => [`pattern: ${kind}`, (random: Random) => patterns(random, kind)]),
  ),
  ...plain,
  slips: slip,
};

/** The families that have no patterns and are filters, but for what a schema refuses. */
export const plainFamilies: readonly string[] = Object.keys(plain);

/** The families of texts. */
export const costlyFamilies: readonly string[] = Object.keys(families);

/** A text of a family. */
export function costlyText(random: Random, family = random.pick(costlyFamilies)): CostlyText {
  return { family, text: (families[family]?.(random) ?? '').slice(0, maxLength) };
}
