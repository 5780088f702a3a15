import { instanceNames, nearlyEqual, type CostlyRow } from './costly-row.js';
import type { Random } from './random.js';

/** Longest text of a row that becomes a literal. */
const maxLiteralLength = 20_000;

/** The position of a clause: its subject, and `not ` if that would invert the result. */
export interface FormContext {
  readonly random: Random;
  readonly made: CostlyRow;
  /** A text of the row, or an element of a collection. */
  readonly subject: string;
  readonly not: string;
}

/** A clause that go-bexpr does not have. */
export function levelOneClause(context: FormContext): string {
  return context.random.pick(forms)(context);
}

type Form = (context: FormContext) => string;

const forms: readonly Form[] = [
  ({ random, subject, not }) => `${subject} ${equals(not)} @${random.pick(['k', 's', 's2'])}`,
  ({ random, not }) => `@${random.pick(['k', 'k', 'text'])} ${not}in ${random.pick(lists)}`,
  ({ random, not }) => `@${random.pick(['text', 'text2', 'k'])} ${not}in texts`,
  ({ random, not }) => {
    const name = random.pick(instanceNames);
    return `@${name}2 ${not}in ${name}List`;
  },
  ({ random, subject, not }) => `${not}${subject} ${ordering(random)} @${random.pick(['k', 's2', 'text2'])}`,
  ({ random, not }) => `${not}text ${ordering(random)} @${random.pick(['text2', 'k'])}`,
  ({ random, not }) => {
    const name = random.pick(instanceNames);
    return `${not}${name} ${ordering(random)} @${name}2`;
  },
  ({ random, subject, not }) => `${subject} ${not}contains @${random.pick(['k', 's2', 'text'])}`,
  (context) => `${context.subject} ${context.not}contains ${literal(context)}`,
  (context) => `${context.subject} ${equals(context.not)} ${literal(context)}`,
  (context) => `${context.not}${context.subject} ${ordering(context.random)} ${literal(context, '')}`,
  (context) =>
    `${context.subject} ${context.not}${context.random.pick(['starts', 'ends'])} with ${literal(context)}`,
  (context) => `${context.subject} ${context.not}like ${glob(context)}`,
  (context) => {
    const elements = Array.from({ length: context.random.pick([1, 3, 20]) }, () => literal(context));
    return `${context.subject} ${context.not}in [${elements.join(', ')}]`;
  },
  (context) => `${literal(context)} ${context.not}in ${context.random.pick(lists)}`,
  ({ random, subject, not }) => `${not}len(${random.pick([subject, 'l', 'm', 'map', 'set'])}) > 9000000`,
  (context) => instanceClause(context, context.random.pick(instanceNames)),
  (context) => instanceClause(context, context.random.pick(instanceNames)),
  (context) => instanceWalk(context),
  (context) => instanceWalk(context),
];

const lists = ['l', 'many', 'm', 'set', 'map', 'texts'] as const;

/** The clause that does not decide: few things are equal. */
function equals(not: string): string {
  return not === '' ? '==' : '!=';
}

function ordering(random: Random): string {
  return random.pick(['<', '<=', '>', '>=']);
}

/** A literal that a text of the row nearly is, with or without case. */
function literal({ random, made: { element } }: FormContext, flag = random.pick(['', 'i', 'i'])): string {
  const length = random.pick([3, 16, 32, 125, 250, 3_000, maxLiteralLength]);
  const text = element.length <= maxLiteralLength && random.chance(0.6) ? element : element.slice(0, length);
  return `"${nearlyEqual(text, random).replace(/\s/g, 'x')}"${flag}`;
}

function glob({ random, made: { element } }: FormContext): string {
  const part = (): string => element.slice(0, random.pick([1, 2, 30, 300])).replace(/[^aé]/g, '?');
  const parts = Array.from(
    { length: random.pick([1, 2, 3, 10]) },
    () => part() + random.pick(['', 'b', '?b']),
  );
  return `"${random.pick(['', '*'])}${parts.join('*')}${random.pick(['', '*', 'c'])}"${random.pick(['', 'i'])}`;
}

/** A comparison of a field that represents an instance, with a literal. */
function instanceClause(
  { random, made, not }: FormContext,
  name: keyof CostlyRow['instances'],
  subject: string = name,
): string {
  const own = String(made.instances[name]);
  const written = `"${own}"`;
  const blocks = name === 'ip' ? ', 10.0.0.0/8, "2001:db8::/32"' : '';
  switch (random.below(4)) {
    case 0:
      return `${subject} ${not}in [${Array.from({ length: random.pick([1, 8, 50]) }, () => written).join(', ')}${blocks}]`;
    case 1:
      return `${subject} ${not === '' ? '!=' : '=='} ${written}`;
    case 2:
      return name === 'time' ? `${not}${subject} > now + 7d` : `${not}${subject} > ${written}`;
    default:
      return `${not}${subject} ${not === '' ? '>' : '>='} ${written}`;
  }
}

/** The same of each element of a list. */
function instanceWalk(context: FormContext): string {
  const { random, not } = context;
  const name = random.pick(instanceNames);
  const body = Array.from({ length: random.pick([1, 1, 3, 9]) }, () =>
    random.chance(0.3) ? `${not}e < @${name}2` : instanceClause(context, name, 'e'),
  );
  return `${not === '' ? 'any' : 'all'} ${name}List as e { ${body.join(not === '' ? ' or ' : ' and ')} }`;
}
