import { parse as parseLossless } from 'lossless-json';
import { RequestError } from 'tamis/pace';

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
