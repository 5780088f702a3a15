import { flat, instanceNames, instances } from './costly-row.js';

/** A filter that makes one check on so many elements that a row cannot pay for all of them, and that row. */
export interface PricedOperation {
  readonly name: string;
  readonly source: string;
  readonly row: Row;
}

type Row = Readonly<Record<string, unknown>>;

/** As many as a row can pay for, at the lowest price that there is. */
const elements = 400_000;

function repeat<T>(value: T, count = elements): readonly T[] {
  return Array.from({ length: count }, () => value);
}

/** Everything that grows with a row, for rows of `costlySchema`: each is to take no longer than a row may. */
export function pricedOperations(): PricedOperation[] {
  return [
    ...instanceNames.flatMap((name) => instances[name].flatMap((value) => instanceOperations(name, value))),
    ...[3, 30, 120, 255, 3_000, 1_000_000].flatMap(textOperations),
    ...otherOperations(),
    ...crowds(),
  ];
}

/** Free operations, as often as a filter may use them. */
function crowds(): PricedOperation[] {
  const same = 'ab'.repeat(500);
  const duration = '.123456h'.repeat(30);
  const row = {
    ...{ k: flat(`${same}x`), text: flat(`${same}y`), m: repeat(1, 255), l: repeat(flat(`${same}y`), 255) },
    ...{
      duration,
      duration2: duration,
      version: `1.0.0-${'1.'.repeat(120)}2`,
      version2: `1.0.0-${'1.'.repeat(120)}1`,
    },
  };
  const clauses = [
    ...[
      'any m as e { e == 8 }',
      `any m as e { ${repeat('e == 8', 8).join(' or ')} }`,
      'any l as e { e > zzz }',
    ],
    ...[`any l as e { e starts with "${same.slice(0, 120)}x" }`, '8 in m', 'k > @text', 'k contains "abq"i'],
    ...['duration > @duration2', 'version < @version2', 'text contains "abx"', 'text like "*a??b*?x?q*"'],
    ...['text matches `(?:a|ab)a\\d`', 'text matches `[ab]*a[ab]{30}q`'],
  ];
  return clauses.map((clause) => {
    const terms = clause.split(' or ').length + (clause.startsWith('any') ? 1 : 0);
    const count = Math.min(Math.floor(2_000 / terms), Math.floor(65_536 / (clause.length + 4)));
    return { name: `${count} times`, source: repeat(clause, count).join(' or '), row };
  });
}

function instanceOperations(name: string, value: string | number): PricedOperation[] {
  const own = typeof value === 'string' ? flat(value) : value;
  const near = typeof value === 'string' ? flat(nearby(value)) : value - 1;
  const literal = JSON.stringify(String(near));
  const row = { [`${name}2`]: near, [`${name}List`]: repeat(own), many: repeat(1) };
  const list = Array.from({ length: 50 }, () => literal).join(', ');
  return [
    `any ${name}List as e { e == ${literal} }`,
    `any ${name}List as e { e < @${name}2 and e > @${name}2 }`,
    `any ${name}List as e { e in [${list}] }`,
    `any many as n { @${name}2 in ${name}List }`,
  ].map((source) => ({ name: `${String(value).slice(0, 12)} (${String(value).length})`, source, row }));
}

/** Another instance that differs late: the last digit but nine is one more. */
function nearby(text: string): string {
  return text.replace(/[0-8](?=[^0-8]*$)/, (digit) => String(Number(digit) + 1));
}

const patterns = [
  ...['q', '[ab]*q', '(a|b|ab)*c', '(?i)AQ', '\\pL+\\d', '\\bq', '(?:a|ab)a\\d', '[ab]*a[ab]{30}q', 'x$'],
  '.{0,30}(?:(?:a{3}(?i)Aé+){5}[a-z]{10})\\b[^c]+',
];

function textOperations(length: number): PricedOperation[] {
  const same = 'ab'.repeat(length).slice(0, length - 1);
  const word = flat(`${same}x`);
  const each = flat(`${same}y`);
  const row = {
    ...{ k: word, text: word, l: repeat(each), texts: repeat(each), many: repeat(1), m: repeat(each, 255) },
    map: new Map(Array.from({ length: 250 }, (_, at) => [`key ${at}`, each])),
    set: repeat({ a: each, b: word }),
  };
  const literal = `"${word}"`;
  const sources = [
    ...['==', '<', 'contains', 'starts with', 'ends with'].map(
      (operator) => `any l as e { e ${operator} @k }`,
    ),
    ...['any texts as e { e > @text }', 'any set as e { e.a > @e.b }', 'any many as n { @text in texts }'],
    ...['any many as n { @k in m }', 'any many as n { any map as key, v { v == zzz } }'],
    ...patterns.map((pattern) => `any l as e { e matches \`${pattern}\` }`),
  ];
  const ofLiteral = [
    ...['==', '>', 'contains', 'starts with', 'ends with'].map(
      (operator) => `any l as e { e ${operator} ${literal} }`,
    ),
    ...['==', 'contains', 'starts with', 'ends with'].map(
      (operator) => `any l as e { e ${operator} ${literal}i }`,
    ),
    ...[`any l as e { e in [${literal}, q] }`, `any l as e { e in [${literal}i, q] }`],
    ...[`any l as e { e like "*${word.slice(0, 200)}*q" }`, 'any l as e { e like "*a??b*?x?q*" }'],
    ...[
      `any many as n { ${literal} in m }`,
      `any many as n { ${literal}i in m }`,
      `any many as n { ${literal} in texts }`,
    ],
  ];
  return [...sources, ...(length > 20_000 ? [] : ofLiteral)].map((source) => ({
    name: `text (${length})`,
    source,
    row,
  }));
}

function otherOperations(): PricedOperation[] {
  const keys = Array.from({ length: 20_000 }, (_, at) => [`key ${at}`, 1] as const);
  const row = {
    ...{ l: repeat({ a: 1, c: { d: { e: 3 } } }), many: repeat(1), m: repeat(1, 255), k: 5 },
    ...{ map: Object.fromEntries(keys), set: new Set(keys.map(([key]) => key)) },
  };
  return [
    ...[
      'any many as n { n == 8 }',
      'any many as n { n > 8 }',
      'any many as n { n == @k }',
      'any many as n { n > @k }',
    ],
    ...['any many as n { any m as e { e == 8 } }', 'any many as n { any m as e { e == @k } }'],
    ...['any many as n { 8 in m }', 'any many as n { @k in m }', 'any many as n { 8 in many }'],
    ...['any l as e { e.c.d.e == 4 }', 'any l as e { e.c.d.e == 4 or e.a == 2 or e.b == 7 }'],
    ...['any many as n { any l as e { e.c.d.e == 4 } }', 'any many as n { n in [2, 3, 4] }'],
    ...['any many as n { any map as key, v { v == 2 } }', 'any many as n { any map as key { key == z } }'],
    ...[
      'any many as n { any set as e { e == z } }',
      'any many as n { z in set }',
      'any many as n { z in map }',
    ],
    ...['any many as n { map is empty }', 'any many as n { len(map) > 90000 }', 'any many as n { n is nil }'],
    ...['any l as e { e is empty }', 'any l as e { len(e) > 5 }', 'any many as n { m is empty }'],
    `any many as n { ${repeat('n == 2', 8).join(' or ')} }`,
  ].map((source) => ({ name: 'other', source, row }));
}
