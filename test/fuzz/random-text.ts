import type { Random } from './random.js';

const tokens = [
  ...[
    'a',
    'b',
    'x',
    'm',
    'l',
    's',
    'n',
    'Meta',
    'TaskGroups',
    'm.k',
    'l.0',
    'm["x.y"]',
    'a/b',
    'x.a',
    '"/m/k"',
    '""',
  ],
  ...['and', 'or', 'not', 'in', 'is', 'nil', 'empty', 'contains', 'matches', 'any', 'all', 'as', '==', '!='],
  ...[
    '<=',
    '>=',
    'like',
    'starts with',
    'ends with',
    'len(',
    'now',
    'now - 7d',
    '@',
    '@b',
    '"x"i',
    '7d',
    '10.0.0.0/8',
    '["x", 5]',
  ],
  ...['(', ')', '{', '}', '[', ']', ',', '.', '_', ' ', '\n', '\t', '\r'],
  ...[
    '5',
    '-5',
    '0x10',
    '1.5',
    '1e5',
    '010',
    '"x"',
    '`x`',
    '"\\x22"',
    '"\\d"',
    '`^a+$`',
    '"',
    '`',
    "'x'",
    '-',
    '+',
  ],
  ...[
    '<',
    '>',
    '=',
    '!',
    '/',
    '\\',
    '~1',
    '%',
    '#',
    ';',
    '\u00a0',
    '\ufeff',
    '\u2028',
    'é',
    '😀',
    '\ud800',
    '\0',
    '\u202e',
  ],
];

/** Tokens side by side, mostly with blanks between them. */
export function tokenSoup(random: Random): string {
  let text = '';
  const count = 1 + random.below(24);
  for (let index = 0; index < count; index += 1) {
    text += random.pick(tokens) + (random.chance(0.7) ? ' ' : '');
  }
  return text;
}

/** Characters of any kind, lone surrogates included. */
export function randomText(random: Random): string {
  let text = '';
  const count = random.below(40);
  const widest = random.pick([0x80, 0x100, 0x10000, 0x110000]);
  for (let index = 0; index < count; index += 1) text += String.fromCodePoint(random.below(widest));
  return text;
}

/** A sound or unsound filter with a few edits, spliced with another now and then. */
export function mutated(random: Random, seeds: readonly string[]): string {
  let text = random.pick(seeds);
  if (random.chance(0.2)) text = splice(random, text, random.pick(seeds));
  const edits = random.chance(0.3) ? 0 : 1 + random.below(3);
  for (let edit = 0; edit < edits; edit += 1) text = mutate(random, text);
  return text;
}

/** Sound filters, alone or joined. */
export function joined(random: Random, sound: readonly string[]): string {
  const first = random.pick(sound);
  const choice = random.below(4);
  if (choice < 2) return first;
  const second = `(${first}) ${random.pick(['and', 'or'])} (${random.pick(sound)})`;
  return choice === 2 ? second : `not (${second})`;
}

function splice(random: Random, one: string, other: string): string {
  const joint = random.pick(['', ' and ', ' or ', ' ', '(', ') or (']);
  return one.slice(0, random.below(one.length + 1)) + joint + other.slice(random.below(other.length + 1));
}

function mutate(random: Random, text: string): string {
  const from = random.below(text.length + 1);
  const to = Math.min(text.length, from + 1 + random.below(6));
  switch (random.below(5)) {
    case 0:
      return text.slice(0, from) + text.slice(to);
    case 1:
      return text.slice(0, from) + random.pick(tokens) + text.slice(from);
    case 2:
      return text.slice(0, from) + random.pick(tokens) + text.slice(to);
    case 3:
      return text.slice(0, from) + text.slice(from, to).repeat(1 + random.below(8)) + text.slice(to);
    default:
      return text.slice(0, from);
  }
}

/** A filter nested as deep as the limit allows, or a little deeper. */
export function deepText(random: Random): string {
  const [open, close] = random.pick([
    ['(', ')'],
    ['not ', ''],
    ['not (', ')'],
    ['a == 1 or (', ')'],
    ['any l as x { ', ' }'],
    ['(a == 1 and ', ')'],
  ] as const);
  const depth = random.below(130);
  const heart = random.pick(['a == 1', 'x in l', '', 'a ==']);
  return open.repeat(depth) + heart + close.repeat(Math.max(0, depth - random.below(2)));
}
