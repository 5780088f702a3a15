import { parse as parseLossless } from 'lossless-json';
import { RequestError } from './request-error.js';

/** A run of digits that a double may not hold. Texts without one take the built-in parser. */
const longDigits = /\d{16}/;

/**
 * Reads JSON without losing digits: an integer outside the safe range becomes a bigint, every other number a number.
 * Of a key given twice the last value counts.
 *
 * @throws RequestError `bad-json` with the parser's reason.
 */
export function readJson(text: string): unknown {
  try {
    return longDigits.test(text) ? readLongDigits(text) : (JSON.parse(text) as unknown);
  } catch (error) {
    throw new RequestError('bad-json', reason(error));
  }
}

/**
 * Reads the first JSON value of a text and ignores what follows it.
 *
 * @throws RequestError `bad-json` when the text does not begin with a value.
 */
export function readFirstJson(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    const end = endOfFirstValue(text);
    if (end === null || end === text.length) throw error;
    return readJson(text.slice(0, end));
  }
}

/**
 * Writes a value as JSON: bigints as their digits, `undefined` fields left out. With an `indent` each level stands on
 * lines of its own, `depth` levels in. As fast as the built-in writer, which cannot write bigints.
 */
export function writeJson(value: unknown, indent = 0, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return writeString(value);
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null';
    case 'bigint':
      return `${value}`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? writeArray(value, indent, depth) : writeObject(value, indent, depth);
    default:
      return 'null';
  }
}

/** Printable ASCII without quotes and backslashes: the text needs no escapes, and finding that out is cheap. */
const plain = /^[ !#-[\]-~]*$/;
/** Length from which the built-in writer is as fast. */
const shortText = 64;

function writeString(text: string): string {
  return text.length < shortText && plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Names of fields as they are written, kept because the same few hundred come again and again. */
const writtenNames = new Map<string, string>();
/** Most names kept. Stops maps with made-up keys from filling the memory. */
const maxWrittenNames = 4_096;

function writeName(name: string): string {
  const known = writtenNames.get(name);
  if (known !== undefined) return known;
  const written = `${writeString(name)}:`;
  if (writtenNames.size < maxWrittenNames && name.length < shortText) writtenNames.set(name, written);
  return written;
}

function writeArray(items: readonly unknown[], indent: number, depth: number): string {
  if (items.length === 0) return '[]';
  const newline = lineBreak(indent, depth + 1);
  let text = '[';
  for (let at = 0; at < items.length; at += 1) {
    text += (at === 0 ? newline : `,${newline}`) + writeJson(items[at], indent, depth + 1);
  }
  return `${text}${lineBreak(indent, depth)}]`;
}

function writeObject(object: object, indent: number, depth: number): string {
  const newline = lineBreak(indent, depth + 1);
  const blank = indent === 0 ? '' : ' ';
  let text = '{';
  let separator = newline;
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    const value: unknown = (object as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    text += separator + writeName(name) + blank + writeJson(value, indent, depth + 1);
    separator = `,${newline}`;
  }
  return text === '{' ? '{}' : `${text}${lineBreak(indent, depth)}}`;
}

function lineBreak(indent: number, depth: number): string {
  return indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`;
}

function readLongDigits(text: string): unknown {
  return parseLossless(text, null, {
    parseNumber: readNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

const integer = /^-?\d+$/;

/** Characters of a number. Stops those of millions: the time to make an integer of them grows with their square. */
const maxNumberLength = 1_000;

function readNumber(digits: string): number | bigint {
  if (digits.length > maxNumberLength)
    throw new Error(`A number is longer than ${maxNumberLength} characters`);
  const number = Number(digits);
  return integer.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number;
}

const quote = 0x22;
const backslash = 0x5c;
const [openList, closeList] = [0x5b, 0x5d];
const [openObject, closeObject] = [0x7b, 0x7d];

/** Where the first object, array or other value ends; null when it never does. */
function endOfFirstValue(text: string): number | null {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) {
      inString = true;
    } else if (code === openObject || code === openList) {
      depth += 1;
    } else if (code === closeObject || code === closeList) {
      depth -= 1;
      if (depth <= 0) return at + 1;
    }
  }
  return null;
}

function reason(error: unknown): string {
  if (error instanceof RangeError) return 'JSON is nested too deeply';
  return error instanceof Error ? error.message : String(error);
}
