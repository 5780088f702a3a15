import type { ApiClient } from './api/api-client.js';
import { writeJson } from '@tamis/http';
import { sanitizeForTerminal } from './terminal/escape-terminal.js';
import type { Palette } from './terminal/palette.js';
import type { TableLayout } from './terminal/table.js';

/** An output stream. */
export interface Output {
  readonly isTerminal: boolean;
  /** Current number of terminal columns. */
  readonly columns: number;
  write(text: string | Uint8Array): Promise<void>;
}

/** The environment of a command. */
export interface Session {
  readonly api: ApiClient;
  /** The namespace of the request; null for the default one. */
  readonly namespace: string | null;
  readonly out: Output;
  readonly err: Output;
  readonly palette: Palette;
  /** The layout of tables for readers of {@link out}. */
  readonly layout: TableLayout;
  readonly isJson: boolean;
  readonly isVerbose: boolean;
  /** Returns ms since 1970. */
  readonly now: () => number;
  /** Aborted when the user interrupts the command. */
  readonly signal: AbortSignal;
  /** Reads a file; `-` is standard input. @throws CommandError if it is too long. */
  readonly readFile: (path: string) => Promise<Buffer>;
}

/** Returns the first characters of a 36-character ID, which usually identify it; the full ID with `--verbose`. */
export function shortId(id: string, { isVerbose }: Pick<Session, 'isVerbose'>): string {
  return isVerbose || !/^[0-9a-f]{8}-/.test(id) ? id : id.slice(0, 8);
}

/** Returns the flag for a namespace other than the default one, quoted for shells. */
export function namespaceFlag(namespace: string): string {
  return namespace === 'default' ? '' : ` --namespace ${sanitizeForTerminal(namespace)}`;
}

/** Prints a response of the API: JSON for programs, otherwise readable lines. */
export async function writeResponse(
  session: Session,
  response: unknown,
  linesOf: () => readonly string[],
): Promise<void> {
  if (session.isJson) await session.out.write(`${writeJson(response, 2)}\n`);
  else await writeLines(session, linesOf());
}

/** Prints the result of a write: the response for programs, otherwise a line. */
export async function writeDone({ isJson, out }: Session, response: object, line: string): Promise<void> {
  await out.write(isJson ? `${writeJson(response)}\n` : `${line}\n`);
}

export async function writeLines({ out }: Pick<Session, 'out'>, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await out.write(`${lines.join('\n')}\n`);
}
