import { RequestError } from 'tamis/internal';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openList = 0x5b;
const openObject = 0x7b;

/**
 * Refuses a JSON string with more than `max` values before it is parsed. A few megabytes can contain hundreds of thousands of
 * values, and each takes time to parse and process.
 *
 * @throws RequestError `too-many-values`
 */
export function limitValues(text: string, max: number): void {
  // A value takes at least two characters: itself and its separator.
  if (text.length <= 2 * max) return;
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma || code === openList || code === openObject) count += 1;
    if (count > max) {
      throw new RequestError(
        'too-many-values',
        `Request body holds more than ${max} values, counting every entry of lists and maps`,
      );
    }
  }
}

/** Returns the end of the JSON string that begins at `start`; the end of the text if it is unterminated. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === backslash) before -= 1;
  return (at - before) % 2 === 0;
}
