import { StringDecoder } from 'node:string_decoder';

/** The lines of a source and the share read so far. */
export interface Lines {
  readonly lines: AsyncIterable<string>;
  /** Returns the share read so far, from 0 to 1; null if the size of the source is unknown. */
  readonly done: () => number | null;
}

/**
 * Maximum length of a line, in characters. Prevents a source without line breaks from filling the memory. Rows are at most a
 * tenth as long.
 */
export const maxLineLength = 16_777_216;

/**
 * Yields the lines of a UTF-8 source without line breaks. Only `\n` and `\r\n` separate lines: JSON strings may contain other
 * characters that some readers treat as line breaks.
 *
 * @param pieces a chunk may be reused when the next one is requested.
 * @param tooLong creates the error for a line that is too long, with its number from 1.
 */
export async function* splitLines(
  pieces: AsyncIterable<Uint8Array>,
  tooLong: (line: number) => Error,
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let number = 1;
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + decoder.write(piece);
    let start = 0;
    for (let end = text.indexOf('\n', rest.length); end !== -1; end = text.indexOf('\n', start)) {
      yield text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
      start = end + 1;
      number += 1;
    }
    rest = text.slice(start);
    if (rest.length > maxLineLength) throw tooLong(number);
  }
  rest += decoder.end();
  if (rest !== '') yield rest;
}
