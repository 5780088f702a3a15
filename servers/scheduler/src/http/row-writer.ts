import { writeJson } from '@tamis/http';

/** Writes an entry of a list, with the text of what it holds under `shared` if another entry held that very object. */
export type RowWriter = (row: object, shared: string) => string;

/** Characters of texts that are kept. Stops large jobs from filling the memory; one that is larger is not kept. */
const maxKept = 8_388_608;

/** A writer of entries with this many columns a level, 0 for all in one line. An object that is written never changes. */
export function createRowWriter(indent: number, most = maxKept): RowWriter {
  const texts = new Map<object, string>();
  let kept = 0;
  const newline = indent === 0 ? '' : `\n${' '.repeat(2 * indent)}`;
  const end = indent === 0 ? '' : `\n${' '.repeat(indent)}`;
  const blank = indent === 0 ? '' : ' ';

  function textOf(value: object): string {
    const known = texts.get(value);
    if (known !== undefined) return known;
    // The writer leaves a tree of pieces, which would be put together again for every entry that has it.
    const text = Buffer.from(writeJson(value, indent, 2)).toString();
    if (text.length > most) return text;
    texts.set(value, text);
    kept += text.length;
    for (const [oldest, { length }] of texts) {
      if (kept <= most) break;
      texts.delete(oldest);
      kept -= length;
    }
    return text;
  }

  return (row, shared) => {
    const given: unknown = (row as Readonly<Record<string, unknown>>)[shared];
    if (typeof given !== 'object' || given === null) return writeJson(row, indent, 1);
    const fields = Object.entries(row)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]: [string, unknown]) => {
        const text = name === shared ? textOf(given) : writeJson(value, indent, 2);
        return `${writeJson(name)}:${blank}${text}`;
      });
    return `{${newline}${fields.join(`,${newline}`)}${end}}`;
  };
}
