/** A place in a configuration. */
export interface Position {
  /** The name of the file, or of another origin of the text, such as an environment variable. */
  readonly source: string;
  /** Line number, from 1; 0 if the source has no lines, such as an environment variable. */
  readonly line: number;
  /** Column, from 1, in UTF-16 units. */
  readonly column: number;
}

/** Returns a position as the prefix of a message: `agent.hcl:3:14`. */
export function formatPosition({ source, line, column }: Position): string {
  return line === 0 ? source : `${source}:${line}:${column}`;
}

/** Returns a function from offsets in a source to positions, fast enough to be called for every token. */
export function createLocator(text: string, source: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { source, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
