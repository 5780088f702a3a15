import { parsePattern } from '../language/values/pattern/parser.js';
import { simplify } from '../language/values/pattern/simplify.js';
import { parseGlob } from '../language/values/glob.js';
import type { Node } from '../language/values/pattern/node.js';
import type { Value } from '../language/syntax/ast.js';
import { isOrdering, negatedOrderings, type Ordering } from '../language/values/ordering.js';
import type { OperatorName } from '../language/operators/operators.js';
import type { SqlDialect } from './dialect.js';
import {
  anyLeaf,
  constantLeaf,
  leaf,
  unknown,
  untranslated,
  partial,
  type Leaf,
  type SqlPiece,
} from './leaf.js';
import { globPattern, requiredText, storable, textPattern } from './pattern.js';
import type { TextValue } from './column-access.js';
import { list, parameter, raw, sql, type Sql } from './sql.js';

const halfPair = 'it has an unpaired surrogate, which databases cannot store';
const nulText = 'it has the character U+0000';

/** Returns the leaf of a string test with the literals of the match. */
export function textLeaf(
  dialect: SqlDialect,
  text: TextValue,
  name: OperatorName,
  literals: readonly Value[],
): Leaf {
  const present = sql`${text.value} IS NOT NULL`;
  if (name === 'in [..]') return oneOfLeaf(dialect, text, literals);
  const [literal] = literals;
  if (literal === undefined) {
    return name === 'is empty'
      ? leaf(sql`${text.equal} = ''`, sql`${text.equal} <> ''`)
      : untranslated(`\`${name}\` does not apply to strings`);
  }
  if (isOrdering(name)) return orderLeaf(dialect, text, name, literal);
  if (!literal.wellFormed) return constantLeaf(false, present);
  const { text: word, ignoreCase } = literal;
  if (name === 'matches') {
    const { node } = parsePattern(ignoreCase ? `(?i)${word}` : word);
    return patternLeaf(dialect, text, simplify(node));
  }
  if (name === 'like')
    return hasHalfPair(word) ? untranslated(halfPair) : globLeaf(dialect, text, word, ignoreCase);
  if (!substringTests.has(name)) return untranslated(`\`${name}\` has no condition on strings`);
  if (hasHalfPair(word)) return name === '==' ? constantLeaf(false, present) : untranslated(halfPair);
  if (ignoreCase) {
    const [start, end] = [name === '==' || name === 'starts with', name === '==' || name === 'ends with'];
    return patternLeaf(dialect, text, textPattern(word, true, start, end));
  }
  return plainLeaf(dialect, text, name, word);
}

/** Operators that compare with a string literal, or search for one. */
const substringTests: ReadonlySet<string> = new Set(['==', 'in', 'starts with', 'ends with']);

/** Returns the condition that a string contains another one, case-sensitively. */
function plainLeaf(dialect: SqlDialect, text: TextValue, name: string, word: string): Leaf {
  const present = sql`${text.value} IS NOT NULL`;
  if (word.includes('\0')) {
    if (!dialect.takesNul) return constantLeaf(false, present);
    if (dialect.containsNul !== null) return untranslated(nulText);
  }
  if (word === '' && name !== '==') return constantLeaf(true, present);
  const given = dialect.text(word);
  switch (name) {
    case '==':
      return leaf(sql`${text.equal} = ${given}`, sql`${text.equal} <> ${given}`);
    case 'in':
      return containsLeaf(dialect, text, word);
    case 'starts with': {
      const after = textAfterAll(word);
      const from = sql`${text.order} >= ${given}`;
      if (after === null) return leaf(from, sql`${text.order} < ${given}`);
      const to = dialect.text(after);
      return leaf(
        sql`(${from} AND ${text.order} < ${to})`,
        sql`(${text.order} < ${given} OR ${text.order} >= ${to})`,
      );
    }
    case 'ends with':
      return leaf(dialect.endsWith(text.value, given));
    default:
      return untranslated(`\`${name}\` does not apply to strings`);
  }
}

function containsLeaf(dialect: SqlDialect, text: TextValue, word: string): Leaf {
  // A trigram index can serve LIKE.
  if (dialect.like !== null) return leaf(dialect.like(text.value, [[''], [word], ['']]));
  return leaf(dialect.contains(text.value, dialect.text(word)));
}

/**
 * Returns the smallest string that sorts after all strings with the prefix, ignoring unpaired surrogates; null if none exists.
 */
export function textAfterAll(prefix: string): string | null {
  const codes = [...prefix].map((character) => character.codePointAt(0) ?? 0);
  while (codes.at(-1) === 0x10ffff) codes.pop();
  const last = codes.pop();
  if (last === undefined) return null;
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return String.fromCodePoint(...codes) + String.fromCodePoint(next);
}

export function hasHalfPair(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

/** Whether a string can be sent as a parameter and arrives unchanged. */
export function canBeSent(text: string, { takesNul, containsNul }: SqlDialect): boolean {
  return !hasHalfPair(text) && (!text.includes('\0') || (takesNul && containsNul === null));
}

function orderLeaf(dialect: SqlDialect, { order, value }: TextValue, name: Ordering, literal: Value): Leaf {
  if (literal.ignoreCase) return untranslated('letter case has no order');
  if (!literal.wellFormed) return constantLeaf(false, sql`${value} IS NOT NULL`);
  const { text: word } = literal;
  if (hasHalfPair(word)) return untranslated(halfPair);
  const nul = word.indexOf('\0');
  if (nul >= 0 && dialect.containsNul !== null) return untranslated(nulText);
  if (nul >= 0 && !dialect.takesNul) {
    // No string of the table sorts between the part before the U+0000 and the whole.
    return ordering(order, name.startsWith('<') ? '<=' : '>', dialect.text(word.slice(0, nul)));
  }
  return ordering(order, name, dialect.text(word));
}

/** Returns the leaf of an ordering in which all values are comparable. */
export function ordering(value: Sql, name: Ordering, bound: Sql): Leaf {
  return leaf(sql`${value} ${raw(name)} ${bound}`, sql`${value} ${raw(negatedOrderings[name])} ${bound}`);
}

function oneOfLeaf(dialect: SqlDialect, text: TextValue, literals: readonly Value[]): Leaf {
  const plain = literals.filter(
    ({ text: word, wellFormed, ignoreCase }) =>
      wellFormed && !ignoreCase && !hasHalfPair(word) && (dialect.takesNul || !word.includes('\0')),
  );
  if (dialect.containsNul !== null && plain.some(({ text: word }) => word.includes('\0')))
    return untranslated(nulText);
  const words = [...new Set(plain.map(({ text: word }) => word))].map((word) => ({
    at: dialect.text(word),
    text: word,
  }));
  const folded = literals.filter(({ ignoreCase, wellFormed }) => ignoreCase && wellFormed);
  const leaves = [
    ...(words.length === 0 ? [] : [equalsAny(dialect, text.equal, words, 'text')]),
    ...folded.map((literal) => textLeaf(dialect, text, '==', [literal])),
  ];
  return leaves.length === 0 ? constantLeaf(false, sql`${text.value} IS NOT NULL`) : anyLeaf(leaves);
}

/** Returns the leaf that a value equals one of some values, which are also given as the strings of an array. */
export function equalsAny(
  dialect: SqlDialect,
  value: Sql,
  values: readonly { readonly at: Sql; readonly text: string }[],
  arrayOf: string,
): Leaf {
  const [first] = values;
  if (first !== undefined && values.length === 1)
    return leaf(sql`${value} = ${first.at}`, sql`${value} <> ${first.at}`);
  if (dialect.name === 'postgres') {
    const given = sql`${parameter(arrayText(values.map(({ text }) => text)))}::${raw(arrayOf)}[]`;
    return leaf(sql`${value} = ANY(${given})`, sql`${value} <> ALL(${given})`);
  }
  const given = list(values.map(({ at }) => at));
  return leaf(sql`${value} IN (${given})`, sql`${value} NOT IN (${given})`);
}

/** An array in PostgreSQL's input format: a string, which every driver passes on unchanged. */
export function arrayText(words: readonly string[]): string {
  return `{${words.map((word) => `"${word.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function globLeaf(dialect: SqlDialect, text: TextValue, source: string, ignoreCase: boolean): Leaf {
  const glob = parseGlob(source);
  if (glob === null) return untranslated('the glob is invalid');
  const { parts } = glob;
  const texts = parts.map((part) => (part.length === 1 ? part[0] : null));
  const [head, middle, tail] = texts;
  if (!ignoreCase && !texts.includes(null)) {
    if (texts.length === 1) return plainLeaf(dialect, text, '==', head ?? '');
    if (texts.length === 2 && middle === '') return plainLeaf(dialect, text, 'starts with', head ?? '');
    if (texts.length === 2 && head === '') return plainLeaf(dialect, text, 'ends with', middle ?? '');
    if (texts.length === 3 && head === '' && tail === '') return plainLeaf(dialect, text, 'in', middle ?? '');
  }
  const canBeSent = dialect.takesNul || !source.includes('\0');
  if (!ignoreCase && dialect.like !== null && canBeSent) return leaf(dialect.like(text.value, parts));
  return patternLeaf(dialect, text, globPattern(glob, ignoreCase));
}

/** Returns the leaf that a pattern matches somewhere in a string. */
function patternLeaf(dialect: SqlDialect, text: TextValue, pattern: Node): Leaf {
  const found = plainPattern(
    dialect,
    text,
    storable(pattern, dialect.takesNul && dialect.containsNul === null),
  );
  return withoutNul(dialect, text, found);
}

function plainPattern(dialect: SqlDialect, text: TextValue, node: Node): Leaf {
  const present = sql`${text.value} IS NOT NULL`;
  if (node.kind === 'fail') return constantLeaf(false, present);
  if (node.kind === 'empty') return constantLeaf(true, present);
  const written = dialect.pattern(node);
  return written === null
    ? weakPattern(dialect, text, node)
    : leaf(dialect.matches(text.value, dialect.text(written)));
}

/** Returns an inexact leaf for a pattern that the engine cannot evaluate: tests only for the string that every match contains. */
function weakPattern(dialect: SqlDialect, text: TextValue, node: Node): Leaf {
  const why = 'the database has no equivalent expression';
  const needed = requiredText(node);
  const found = needed === '' || needed.includes('\0') ? null : containsLeaf(dialect, text, needed).yes.sql;
  return { yes: found === null ? unknown(why) : partial(found, why), no: unknown(why) };
}

/** Excludes strings with U+0000, at which engine functions may stop. The residual filter evaluates them. */
export function withoutNul({ containsNul }: SqlDialect, text: TextValue, found: Leaf): Leaf {
  if (containsNul === null || !text.mayContainNul) return found;
  const why =
    'a string may contain U+0000, at which SQLite stops; set `constrained` if a constraint prevents it';
  const orContainsNul = (piece: SqlPiece): SqlPiece =>
    piece.sql === null ? piece : partial(sql`(${piece.sql} OR ${containsNul(text.value)})`, piece.why ?? why);
  return { yes: orContainsNul(found.yes), no: orContainsNul(found.no) };
}
