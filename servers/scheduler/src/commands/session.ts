import type { ApiClient } from '../api/api-client.js';
import type { Palette } from '../terminal/palette.js';

/** A stream that people or programs read. */
export interface Output {
  readonly isTerminal: boolean;
  /** Columns of the terminal; asked at each table, because windows change. */
  readonly columns: number;
  write(text: string | Uint8Array): Promise<void>;
}

/** What a command runs with. */
export interface Session {
  readonly api: ApiClient;
  /** The namespace of the request; null for the default one. */
  readonly namespace: string | null;
  readonly out: Output;
  readonly err: Output;
  readonly palette: Palette;
  readonly isJson: boolean;
  readonly isVerbose: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborted when the user wants no more of it. */
  readonly signal: AbortSignal;
  /** Reads a file; `-` is standard input. @throws CommandError for what is too long. */
  readonly readFile: (path: string) => Promise<Buffer>;
}

/** Columns within which a table has to stay; null for a pipe, where nothing is cut. */
export function widthOfScreen({ out }: Pick<Session, 'out'>): number | null {
  return out.isTerminal ? out.columns : null;
}

/** The first characters of an ID of 36, which tell it from others well enough; whole with `--verbose`. */
export function shortId(id: string, { isVerbose }: Pick<Session, 'isVerbose'>): string {
  return isVerbose || !/^[0-9a-f]{8}-/.test(id) ? id : id.slice(0, 8);
}

export async function writeLines({ out }: Pick<Session, 'out'>, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await out.write(`${lines.join('\n')}\n`);
}
