import { definePolicy, PolicyError, type AccessRule, type Policy } from '../../src/entries/access.js';
import { defineSchema, parse, t } from '../../src/index.js';
import type { Draw } from '../support/draw.js';
import { damage } from './damage.js';
import { and, evaluate, not, or, type Truth } from './kleene.js';

/** The fields of rows; callers have the same in lower case. Every kind that can be compared occurs, in several units. */
const entry = { S: t.string, I: t.int, L: t.list(t.string) };
const fields = {
  ...{ S: t.string, Sx: t.string, Sn: t.nullable(t.string), B: t.bool },
  ...{ I: t.int, U: t.uint, F: t.float64, G: t.float32 },
  ...{ T: t.time, Tm: t.time('ms'), Tn: t.nullable(t.time('ns')), Tu: t.time({ zone: 'UTC' }) },
  ...{ D: t.duration, Ds: t.duration('s'), Y: t.bytes('KiB'), Yb: t.bytes('B') },
  ...{ A: t.ip, V: t.version },
  ...{
    Ls: t.list(t.string),
    Li: t.list(t.int),
    Lf: t.list(t.float64),
    Lb: t.list(t.bool),
    Lt: t.list(t.time),
  },
  ...{ M: t.map(t.string), O: t.struct(entry), Lo: t.list(t.struct(entry)) },
};
const own = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name.toLowerCase(), type]));

export const rowSchema = defineSchema(fields);
export const callerSchema = defineSchema(own);
/** The schema of rules, for the reference. */
export const ruleSchema = defineSchema({ ...fields, caller: t.struct(own) });

const pools: Readonly<Record<string, readonly unknown[]>> = {
  S: ['', 'a', 'ab', 'b', 'ba', '5', '😀'],
  B: [true, false],
  I: [-2, 0, 1, 2, 3, 9007199254740993n, -(2n ** 63n)],
  U: [0, 1, 2, 2n ** 64n - 1n],
  F: [-1.5, 0, -0, 1, 2, 2.5, 9007199254740992, Infinity, -Infinity, 1e-7, 1e300],
  G: [0, 1, 2.5, 0.1, 16777217],
  T: [
    '2026-01-01T00:00:00Z',
    '2026-01-01T01:00:00+01:00',
    '2026-01-01T00:00:00.5Z',
    '1970-01-01T00:00:00Z',
    'soon',
  ],
  Tm: [0, 1767225600000, 1767225600500],
  Tn: [0, 1767225600000000000n, 1767225600500000001n],
  Tu: ['2026-01-01 00:00:00', '2026-01-01'],
  D: ['1s', '1000ms', '1m', '-1s', 'x'],
  Ds: [0, 1, 60, -1],
  Y: [0, 1, 2],
  Yb: [0, 1024, 1025],
  A: ['10.0.0.1', '10.0.0.2', '::1', 'x'],
  V: ['1.0.0', '1.0', '2.0.0', '1.0.0-rc1', 'x'],
};
/** The fields of each family, whose values can be compared. */
const families: readonly (readonly string[])[] = [
  ['S', 'Sx', 'Sn'],
  ['B'],
  ['I', 'U', 'F', 'G'],
  ['T', 'Tm', 'Tn', 'Tu'],
  ['D', 'Ds'],
  ['Y', 'Yb'],
  ['A'],
  ['V'],
];
const literals: Readonly<Record<string, readonly string[]>> = {
  S: ['"a"', '"ab"', '""', '"A"i'],
  B: ['true', 'false'],
  I: ['0', '1', '2', '3'],
  T: ['"2026-01-01T00:00:00Z"', '"1970-01-01"'],
  D: ['1s', '"1m"'],
  Y: ['1KiB', '"1025B"'],
  A: ['"10.0.0.1"'],
  V: ['"1.0.0"'],
};

function poolOf(name: string): readonly unknown[] {
  return pools[name] ?? pools[name.slice(0, 1)] ?? [];
}

function drawEntry(draw: Draw): object {
  return {
    S: draw.pick(poolOf('S')),
    I: draw.pick(poolOf('I')),
    L: draw.list(0, 2, () => draw.pick(poolOf('S'))),
  };
}

function drawValue(draw: Draw, name: string): unknown {
  switch (name) {
    case 'Ls':
    case 'Li':
    case 'Lf':
    case 'Lb':
    case 'Lt':
      return draw.list(0, 3, () => draw.pick(poolOf(name.charAt(1).toUpperCase())));
    case 'M':
      return Object.fromEntries(draw.list(0, 2, () => [draw.pick(['a', 'ab', 'b']), draw.pick(poolOf('S'))]));
    case 'O':
      return drawEntry(draw);
    case 'Lo':
      return draw.list(0, 3, () => drawEntry(draw));
    case 'Sn':
    case 'Tn':
      return draw.oneIn(4) ? null : draw.pick(poolOf(name));
    default:
      return draw.pick(poolOf(name));
  }
}

function drawObject(draw: Draw, nameOf: (name: string) => string): unknown {
  const whole = Object.fromEntries(Object.keys(fields).map((name) => [nameOf(name), drawValue(draw, name)]));
  let object: unknown = whole;
  for (let times = draw.pick([0, 0, 1, 3]); times > 0; times -= 1) object = damage(draw, object);
  return object;
}

export function drawRow(draw: Draw): unknown {
  return drawObject(draw, (name) => name);
}

export function drawCaller(draw: Draw): object {
  const caller = drawObject(draw, (name) => name.toLowerCase());
  return typeof caller === 'object' && caller !== null && !Array.isArray(caller) ? caller : {};
}

/** A name that a match can read: its source and its family. */
interface Name {
  readonly text: string;
  readonly family: string;
}

/** Names of one side: the row's, the caller's, or those of an element of a list. */
function namesOf(prefix: string, isCaller: boolean, all: readonly string[]): readonly Name[] {
  return all.map((name) => ({
    text: `${prefix}${isCaller ? name.toLowerCase() : name}`,
    family: families.find((family) => family.includes(name))?.[0] ?? name,
  }));
}

const scalars = families.flat();
const outside: readonly Name[] = [
  ...namesOf('', false, scalars),
  ...namesOf('caller.', true, scalars),
  ...['O.S', 'caller.o.S', 'caller.m.a', 'M["ab"]'].map((text) => ({ text, family: 'S' })),
  ...['O.I', 'caller.o.I'].map((text) => ({ text, family: 'I' })),
];
const lists: readonly Name[] = (['Ls', 'Li', 'Lf', 'Lb', 'Lt'] as const).flatMap((name) => {
  const family = { Ls: 'S', Li: 'I', Lf: 'I', Lb: 'B', Lt: 'T' }[name];
  return [
    { text: name, family },
    { text: `caller.${name.toLowerCase()}`, family },
  ];
});
const containers = [...lists.map(({ text }) => text), 'M', 'caller.m', 'Lo', 'caller.lo'];

/** Draws the source of a rule that compares rows with the caller. */
export function drawRule(draw: Draw, depth = 3, names = outside): string {
  const inner = (): string => drawRule(draw, depth - 1, names);
  const kind = depth === 0 ? 0 : draw.below(9);
  if (kind === 1) return `(${inner()} and ${inner()})`;
  if (kind === 2) return `(${inner()} or ${inner()})`;
  if (kind === 3) return `not (${inner()})`;
  if (kind === 4) return drawQuantifier(draw, depth, names);
  return drawMatch(draw, names);
}

function drawQuantifier(draw: Draw, depth: number, names: readonly Name[]): string {
  const quantifier = draw.pick(['any', 'all']);
  const name = `x${depth}`;
  const other = draw.pick([null, 'Lo', 'caller.lo']);
  if (other !== null) {
    const bound = ['S', 'I'].map((part) => ({ text: `${name}.${part}`, family: part }));
    return `(${quantifier} ${other} as ${name} { ${drawRule(draw, depth - 1, [...names, ...bound, ...bound])} })`;
  }
  const { text, family } = draw.pick(lists);
  const bound = draw.oneIn(4)
    ? {
        as: `i${depth}, ${name}`,
        names: [
          { text: name, family },
          { text: `i${depth}`, family: 'I' },
        ],
      }
    : { as: name, names: [{ text: name, family }] };
  return `(${quantifier} ${text} as ${bound.as} { ${drawRule(draw, depth - 1, [...names, ...bound.names, ...bound.names])} })`;
}

function drawMatch(draw: Draw, names: readonly Name[]): string {
  const { text, family } = draw.pick(names);
  const peers = names.filter((each) => each.family === family);
  const peer = draw.pick(peers).text;
  switch (draw.below(9)) {
    case 0:
      return `${text} ${draw.pick(['==', '!='])} ${draw.pick(literals[family] ?? ['""'])}`;
    case 1: {
      const list = draw.pick(lists);
      const value = draw.pick(names.filter((each) => each.family === list.family));
      return `@${value.text} ${draw.pick(['in', 'not in'])} ${list.text}`;
    }
    case 2: {
      const strings = names.filter((each) => each.family === 'S');
      const [a, b] = [draw.pick(strings).text, draw.pick(strings).text];
      const operator = draw.pick(['starts with', 'ends with', 'contains', 'not starts with', 'not contains']);
      return `${a} ${operator} @${b}`;
    }
    case 3:
      return `${draw.pick(containers)} ${draw.pick(['is empty', 'is not empty'])}`;
    case 4:
      return `${draw.pick(['Sn', 'Tn', 'caller.sn'])} ${draw.pick(['is nil', 'is not nil'])}`;
    case 5:
      return `len(${draw.pick(containers)}) ${draw.pick(['<', '>=', '==', '!='])} @${draw.pick(names.filter((each) => each.family === 'I')).text}`;
    case 6: {
      const strings = names.filter((each) => each.family === 'S');
      return `@${draw.pick(strings).text} ${draw.pick(['in', 'not in'])} ${draw.pick(['M', 'caller.m'])}`;
    }
    default:
      return `${text} ${draw.pick(family === 'B' ? ['==', '!='] : ['==', '!=', '<', '<=', '>', '>='])} @${peer}`;
  }
}

function drawRules(draw: Draw): readonly AccessRule<Action>[] {
  return draw.list(1, 3, () => ({
    effect: draw.pick(['allow', 'allow', 'deny'] as const),
    actions: draw.pick([['*'], ['read'], ['read', 'write']] as const),
    ...(draw.oneIn(8) ? {} : { when: drawRule(draw) }),
  }));
}

type Action = 'read' | 'write';

/** A policy and a caller for it. */
export interface DrawnPolicy {
  readonly rules: readonly AccessRule<Action>[];
  readonly policy: Policy<typeof callerSchema, Action>;
  readonly caller: object;
  readonly define: (rules: readonly AccessRule<Action>[]) => DrawnPolicy['policy'];
}

function define(rules: readonly AccessRule<Action>[]): DrawnPolicy['policy'] {
  return definePolicy({ schema: rowSchema, caller: callerSchema, actions: ['read', 'write'], rules });
}

/** Draws a policy; null if a rule has no residual. */
export function drawPolicy(draw: Draw): DrawnPolicy | null {
  const rules = drawRules(draw);
  const caller = drawCaller(draw);
  try {
    return { rules, policy: define(rules), caller, define };
  } catch (error) {
    if (error instanceof PolicyError && error.code === 'no-residual') return null;
    throw error;
  }
}

/** Whether rules allow to read a row: an independent reference. */
export function isAllowed(rules: readonly AccessRule<string>[], caller: object, row: unknown): boolean {
  const whole = withCaller(row, caller);
  const truths = (effect: string): Truth[] =>
    rules
      .filter((rule) => rule.effect === effect)
      .map(({ when }) =>
        when === undefined ? true : evaluate(parse(when as string).ast, ruleSchema, whole),
      );
  return and([or(truths('allow')), not(or(truths('deny')))]) === true;
}

function withCaller(row: unknown, caller: object): unknown {
  if (row instanceof Map) return new Map([...(row as Map<unknown, unknown>), ['caller', caller]]);
  const isPlain = typeof row === 'object' && row !== null && Object.getPrototypeOf(row) === Object.prototype;
  return { ...(isPlain ? row : {}), caller };
}
