import { readJson } from '@tamis/http';

/** Maximum length of a value in a stream, in UTF-16 units: a job may have some megabytes. */
const maxValue = 64 * 2 ** 20;

/** Returns the JSON objects of a stream, which are concatenated or on separate lines. @throws RequestError for other content */
export async function* readJsonStream(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  const splitter = createSplitter();
  for await (const piece of pieces) {
    for (const text of splitter(decoder.decode(piece, { stream: true }))) yield readJson(text);
  }
}

/** Splits the input after each top-level object. Scanned characters are not scanned again. */
function createSplitter(): (text: string) => readonly string[] {
  let buffered: string[] = [];
  let length = 0;
  let depth = 0;
  let isText = false;
  let isEscaped = false;

  return (text) => {
    const whole: string[] = [];
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at];
      if (isEscaped) isEscaped = false;
      else if (isText) {
        if (character === '\\') isEscaped = true;
        else if (character === '"') isText = false;
      } else if (character === '"') isText = true;
      else if (character === '{') depth += 1;
      else if (character === '}') {
        depth -= 1;
        if (depth > 0) continue;
        whole.push(buffered.join('') + text.slice(start, at + 1));
        buffered = [];
        length = 0;
        start = at + 1;
      }
    }
    buffered.push(text.slice(start));
    length += text.length - start;
    if (length > maxValue) throw new RangeError(`A value of the stream is longer than ${maxValue}`);
    return whole;
  };
}
