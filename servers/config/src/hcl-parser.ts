import type { ConfigEntry, ConfigList, ConfigObject, ConfigValue } from './config-tree.js';
import { goesOn, startsExpression, takeExpression } from './hcl-expressions.js';
import { decimalOf, referenceOf } from './hcl-literals.js';
import { readHeredoc, readQuoted } from './hcl-text.js';
import type { Position } from './position.js';
import type { SourceText } from './source-text.js';

const whitespace = /[ \t\r\n]+/y;
const lineComment = /(?:#|\/\/)[^\n]*/y;
const identifier = /[\p{L}_][\p{L}\p{Nd}_.-]*/uy;
const number = /-?(?:0[xX][0-9A-Fa-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y;
const decimal = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const octal = /^-?0\d+$/;

interface Key {
  readonly name: string;
  readonly at: Position;
}

/**
 * Parses HCL version 1, or the part of version 2 that needs no evaluation. Implemented directly: with a parser library this file
 * would not be shorter, because heredocs and interpolations need modes of the lexer, and messages would be less specific.
 */
export function parseHcl(source: SourceText): ConfigObject {
  source.skip('\uFEFF');
  const at = source.position();
  const entries = readEntries(source, '');
  return { kind: 'object', entries, at };
}

/** Reads entries up to the closing brace, or up to the end of the source. Commas between entries are optional. */
function readEntries(source: SourceText, end: '' | '}'): ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  for (;;) {
    skipBlanks(source);
    if (source.peek() === end) return entries;
    if (source.peek() === '') source.fail('the text ends inside a block: a closing } is missing');
    entries.push(readEntry(source));
    skipBlanks(source);
    source.skip(',');
  }
}

function readEntry(source: SourceText): ConfigEntry {
  const first = readKey(source);
  if (first === null) {
    const hint = /\d/.test(source.peek()) ? ': a name that begins with a digit must be in quotes' : '';
    return source.fail(`expected the name of a setting or block, found ${source.describeNext()}${hint}`);
  }
  const labels: Key[] = [];
  for (;;) {
    skipBlanks(source);
    if (source.peek() === '{') return { key: first.name, at: first.at, value: readLabelled(source, labels) };
    const isSet = source.peek() === '=' || (source.isHcl2 && source.peek() === ':');
    if (isSet && labels.length === 0) break;
    if (source.peek() === '=') source.fail('a block with a label has no =');
    const label = readKey(source);
    if (label === null) {
      return source.fail(
        `expected = or { after ${JSON.stringify(first.name)}, found ${source.describeNext()}`,
      );
    }
    labels.push(label);
  }
  source.at += 1;
  skipBlanks(source);
  return { key: first.name, at: first.at, value: readValue(source) };
}

function readKey(source: SourceText): Key | null {
  const at = source.position();
  const name = source.peek() === '"' ? readQuoted(source) : source.take(identifier);
  return name === null ? null : { name, at };
}

/** Reads a block with labels. Each label is an object around whatever follows it. */
function readLabelled(source: SourceText, labels: readonly Key[]): ConfigObject {
  if (labels.length > source.limits.maxDepth) source.fail(`more than ${source.limits.maxDepth} labels`);
  const body = readObject(source);
  return labels.reduceRight<ConfigObject>(
    (value, { name, at }) => ({
      kind: 'object',
      entries: [{ key: name, isLabel: true, at, value }],
      at,
      isBlock: true,
    }),
    { ...body, isBlock: true },
  );
}

function readObject(source: SourceText): ConfigObject {
  const at = source.position();
  source.at += 1;
  const entries = source.nested(() => readEntries(source, '}'));
  source.at += 1;
  return { kind: 'object', entries, at };
}

function readList(source: SourceText): ConfigList {
  const at = source.position();
  source.at += 1;
  const items: ConfigValue[] = [];
  source.nested(() => {
    skipBlanks(source);
    while (source.peek() !== ']') {
      items.push(readValue(source));
      skipBlanks(source);
      if (!source.skip(',') && source.peek() !== ']') {
        source.fail(`expected , or ] in a list, found ${source.describeNext()}`);
      }
      skipBlanks(source);
    }
  });
  source.at += 1;
  return { kind: 'list', items, at };
}

function readValue(source: SourceText): ConfigValue {
  const start = source.at;
  if (!source.isHcl2) return readLiteral(source);
  if (!startsExpression(source)) {
    const literal = readLiteral(source);
    if (!goesOn(source)) return literal;
    source.at = start;
  }
  const at = source.position();
  const text = takeExpression(source);
  const reference = referenceOf(text);
  return reference === null ? { kind: 'expression', at, text } : { kind: 'text', at, value: reference };
}

function readLiteral(source: SourceText): ConfigValue {
  const at = source.position();
  switch (source.peek()) {
    case '"':
      return readText(source, readQuoted);
    case '<':
      return readText(source, readHeredoc);
    case '{':
      return readObject(source);
    case '[':
      return readList(source);
    default:
      return readWord(source, at);
  }
}

/** Matches a string that consists only of an interpolated number or boolean. Its value is that number or boolean. */
const wrapped = /^"\$\{~?\s*(?:(true|false)|(-?\d[^\s~}]*))\s*~?\}"$/;

function readText(source: SourceText, read: (source: SourceText, computed: string[]) => string): ConfigValue {
  const start = source.at;
  const at = source.position();
  const computed: string[] = [];
  const value = read(source, computed);
  if (computed.length > 0) return { kind: 'text', value, at, computed };
  const [, bool, digits] = source.isHcl2 ? (wrapped.exec(source.text.slice(start, source.at)) ?? []) : [];
  if (bool !== undefined) return { kind: 'bool', value: bool === 'true', at };
  return digits === undefined
    ? { kind: 'text', value, at }
    : { kind: 'number', value: Number(value), text: value, at };
}

function readWord(source: SourceText, at: Position): ConfigValue {
  const start = source.at;
  const digits = source.take(source.isHcl2 ? decimal : number);
  if (digits !== null) {
    if (source.take(identifier) !== null) source.fail('this is no number: write text in quotes', start);
    const text = source.isHcl2
      ? (decimalOf(digits) ?? source.fail('this number is too large', start))
      : digits;
    return { kind: 'number', value: readNumber(source, text, start), text, at };
  }
  const word = source.take(identifier);
  if (word === 'true' || word === 'false') return { kind: 'bool', value: word === 'true', at };
  if (word === 'null' && source.isHcl2) return { kind: 'null', at };
  source.at = start;
  const hint = word === null ? '' : ': write text in quotes';
  return source.fail(`expected a value, found ${source.describeNext()}${hint}`);
}

/** Reads a number. A leading zero means base 8, as in HCL 1. */
function readNumber(source: SourceText, digits: string, start: number): number {
  if (!octal.test(digits)) {
    // Negated separately, because `Number` cannot parse negative hexadecimal numbers.
    return digits.startsWith('-') ? 0 - Number(digits.slice(1)) : Number(digits);
  }
  if (/[89]/.test(digits)) source.fail('a number with a leading zero is octal: leave the zero out', start);
  return Number.parseInt(digits, 8);
}

function skipBlanks(source: SourceText): void {
  while (source.take(whitespace) !== null || source.take(lineComment) !== null || skipBlockComment(source));
}

function skipBlockComment(source: SourceText): boolean {
  if (!source.text.startsWith('/*', source.at)) return false;
  const end = source.text.indexOf('*/', source.at + 2);
  if (end === -1) source.fail('this comment has no closing */');
  source.at = end + 2;
  return true;
}
