/** An output stream. */
export interface Output {
  readonly isTerminal: boolean;
  /** Width in characters; 80 if unknown. */
  readonly columns: number;
  /** Resolves when more can be written. @throws OutputClosed if the reader has closed the stream. */
  write(data: string | Uint8Array): Promise<void>;
}

/** An input stream. */
export interface Input extends AsyncIterable<Uint8Array> {
  readonly isTerminal: boolean;
}

/** Everything outside the program that a command may use. `main` creates the real one, tests create their own. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** The bytes of a file. @throws the file system's error, with its `code`, when read. */
  openFile(path: string): AsyncIterable<Uint8Array>;
  /** Writes a new file. @throws the file system's error, `EEXIST` if the file exists. */
  saveFile(path: string, chunks: Iterable<string>): void;
  /** Streams of an interactive session. */
  readonly interactive: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream };
  /** Prepares the history file of interactive sessions; null if none exists. */
  prepareHistoryFile(): Promise<string | null>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Loads a package of the user's project. @throws the error of the loader */
  loadPackage(name: string): unknown;
  /** Returns a monotonic time, in ms. */
  now(): number;
  /** Returns the current time. */
  clock(): Date;
  /** Returns the fraction of the heap limit in use: 0 to 1. At 1 the process crashes. */
  heapUsage(): number;
  readonly version: string;
}

/** Thrown when the reader of a pipe has closed it, as `head` does. Expected: the command ends without an error message. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** The exit status, as in grep: something matched, nothing matched, an error. */
export type ExitCode = 0 | 1 | 2;

/** An invalid command line, or a file that cannot be used. `hint` says what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    message: string,
    readonly hint: string | null = null,
  ) {
    super(message);
  }
}

/** Reads a small stream as a string. @throws UsageError if it is larger than `maxBytes`. */
export async function readText(
  input: AsyncIterable<Uint8Array>,
  what: string,
  maxBytes: number,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of input) {
    size += part.length;
    if (size > maxBytes) throw new UsageError(`${what} has more than ${maxBytes} bytes`);
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Describes why reading failed; null for other errors. */
export function explainReadError(name: string, error: unknown): UsageError | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'ENOENT':
      return new UsageError(`${name}: there is no such file`);
    case 'EISDIR':
      return new UsageError(`${name}: is a directory`, 'name the files in it');
    case 'EACCES':
    case 'EPERM':
      return new UsageError(`${name}: may not be read`);
    default:
      return typeof code === 'string' ? new UsageError(`${name}: ${(error as Error).message}`) : null;
  }
}
