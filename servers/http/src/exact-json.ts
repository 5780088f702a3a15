import { parseExactly, RequestError } from 'tamis/internal';

/** Prevents slow conversion of integers with millions of digits. */
const limits = { maxDigits: 1_000, whenLonger: 'refuse' } as const;

/**
 * Parses JSON without losing digits. Integers outside the safe range become bigints. The last value of a repeated key wins.
 *
 * @throws RequestError `bad-json` with the parser's reason.
 */
export function readJson(text: string): unknown {
  try {
    return parseExactly(text, limits);
  } catch (error) {
    throw new RequestError('bad-json', reason(error));
  }
}

/**
 * Parses the first JSON value of a string and ignores the rest.
 *
 * @throws RequestError `bad-json` if the string does not begin with a value.
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

const quote = 0x22;
const backslash = 0x5c;
const [openList, closeList] = [0x5b, 0x5d];
const [openObject, closeObject] = [0x7b, 0x7d];

/** Returns the end of the first object, array or other value; null if it is unterminated. */
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
