/** A displayed line of a log. */
export interface LogLine {
  /** Number of the line, counted from the first line read. It stays the same when older lines are dropped. */
  readonly number: number;
  readonly text: string;
}

/** The last lines of a log, up to a maximum number. */
export interface LogLines {
  /** The current lines; each change creates a new list. */
  readonly lines: readonly LogLine[];
  /** Total number of lines received. */
  readonly count: number;
}

export interface LogLimits {
  /** Maximum number of lines kept. Prevents a task with endless output from filling the memory of the tab. */
  readonly lines: number;
  /** Maximum characters per line; the rest continues on the next one. Prevents endless lines. */
  readonly width: number;
}

export const defaultLimits: LogLimits = { lines: 5_000, width: 1_000 };

export const noLines: LogLines = Object.freeze({ lines: [], count: 0 });

/** Adds received output. The last line may continue in the next chunk. */
export function appendText(
  { lines, count }: LogLines,
  text: string,
  limits: LogLimits = defaultLimits,
): LogLines {
  const last = lines.at(-1);
  const pieces = text.split('\n');
  const retained = last === undefined ? [] : lines.slice(0, -1);
  const first = last?.number ?? count;
  const added = [(last?.text ?? '') + (pieces[0] ?? ''), ...pieces.slice(1)].flatMap((line) =>
    cut(line, limits.width),
  );
  // If more lines arrive than are kept, the first ones are skipped.
  const numbered = added
    .map((line, at): LogLine => ({ number: first + at, text: line }))
    .slice(-limits.lines);
  const all = [...retained.slice(Math.max(0, retained.length + numbered.length - limits.lines)), ...numbered];
  return { lines: all, count: first + added.length };
}

function cut(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const parts: string[] = [];
  for (let at = 0; at < line.length; at += width) parts.push(line.slice(at, at + width));
  return parts;
}

// Matches terminal escape sequences, which set colours, move the cursor or set the title.
// oxlint-disable-next-line no-control-regex
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/**
 * Returns a line for display: without escape codes, and with spaces for tabs. Other control characters are kept, to be shown by
 * name.
 */
export function readableLine(text: string): string {
  return text.replace(/\r$/, '').replace(escapes, '').replaceAll('\t', '    ');
}
