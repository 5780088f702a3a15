import { Readable } from 'node:stream';

/** Rows up to which a list is one string: above it the text is made while the client reads. */
const rowsInOneString = 256;
/** Characters of text made at a time: large enough for the socket, small enough not to hold up other requests. */
const sliceLength = 65_536;

/**
 * The body of a JSON array. A long list comes as a stream of slices under back-pressure: a million entries exceed the
 * longest string there is, and a slow reader must not make the server hold them all.
 *
 * @param write the JSON of one entry, indented by one level when `pretty`.
 */
export function jsonList<T>(
  items: readonly T[],
  write: (item: T) => string,
  pretty: boolean,
): string | Readable {
  if (items.length <= rowsInOneString) return [...listSlices(items, write, pretty)].join('');
  return Readable.from(listSlices(items, write, pretty), { objectMode: false, highWaterMark: sliceLength });
}

function* listSlices<T>(items: readonly T[], write: (item: T) => string, pretty: boolean): Generator<string> {
  const newline = pretty ? '\n    ' : '';
  let text = '[';
  for (const [at, item] of items.entries()) {
    text += `${at === 0 ? '' : ','}${newline}${write(item)}`;
    if (text.length >= sliceLength) {
      yield text;
      text = '';
    }
  }
  yield `${text}${pretty && items.length > 0 ? '\n' : ''}]${pretty ? '\n' : ''}`;
}
