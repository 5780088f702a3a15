import type { ApiClient } from './api/api-client.js';
import { writeJson } from '@tamis/http';
import { sanitizeForTerminal } from './terminal/escape-terminal.js';
import type { Palette } from './terminal/palette.js';
import type { TableLayout } from './terminal/table.js';

/** A stream that people or programs read. */
export interface Output {
  readonly isTerminal: boolean;
  /** Columns of the terminal at this moment. */
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
  /** How tables are laid out for whoever reads {@link out}. */
  readonly layout: TableLayout;
  readonly isJson: boolean;
  readonly isVerbose: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborted when the user wants no more of it. */
  readonly signal: AbortSignal;
  /** Reads a file; `-` is standard input. @throws CommandError for what is too long. */
  readonly readFile: (path: string) => Promise<Buffer>;
}

/** The first characters of an ID of 36, which tell it from others well enough; whole with `--verbose`. */
export function shortId(id: string, { isVerbose }: Pick<Session, 'isVerbose'>): string {
  return isVerbose || !/^[0-9a-f]{8}-/.test(id) ? id : id.slice(0, 8);
}

/** How a command is told a namespace that is not the default one. Shells take it as it stands. */
export function namespaceFlag(namespace: string): string {
  return namespace === 'default' ? '' : ` --namespace ${sanitizeForTerminal(namespace)}`;
}

/** Writes an answer of the API: as JSON for programs, else the lines that tell it to people. */
export async function writeResponse(
  session: Session,
  response: unknown,
  linesOf: () => readonly string[],
): Promise<void> {
  if (session.isJson) await session.out.write(`${writeJson(response, 2)}\n`);
  else await writeLines(session, linesOf());
}

/** Writes what a write to the API has done: its answer for programs, else a line. */
export async function writeDone({ isJson, out }: Session, response: object, line: string): Promise<void> {
  await out.write(isJson ? `${writeJson(response)}\n` : `${line}\n`);
}

export async function writeLines({ out }: Pick<Session, 'out'>, lines: readonly string[]): Promise<void> {
  if (lines.length > 0) await out.write(`${lines.join('\n')}\n`);
}
