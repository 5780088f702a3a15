import { StringDecoder } from 'node:string_decoder';

/** The lines of a source, and how much of it they are. */
export interface Lines {
  readonly lines: AsyncIterable<string>;
  /** The part that has been read, from 0 to 1; null where the size of the source is not known. */
  readonly done: () => number | null;
}

/** Characters of a line. Stops a text without ends of lines from filling the memory; no row is a tenth as long. */
export const maxLineLength = 16_777_216;

/**
 * The lines of a text in UTF-8, without their ends, which are `\n` or `\r\n` and nothing else: a text in JSON may hold
 * what others take for one.
 *
 * @param pieces a piece may be used again when the next one is asked for.
 * @param tooLong makes the error for a line that is longer than any may be, of its number from 1.
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
