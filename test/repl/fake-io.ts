import { PassThrough } from 'node:stream';
import { OutputClosed, type ExitCode, type Io, type Output } from '../../src/command/io.js';
import { run } from '../../src/command/run.js';

/** The world of one run of the program. */
export interface World {
  /** What comes in on standard input: one chunk, or several. */
  readonly stdin?: string | readonly (string | Uint8Array)[];
  readonly files?: Readonly<Record<string, string | readonly (string | Uint8Array)[]>>;
  readonly env?: Io['env'];
  /** The packages of the user's project. */
  readonly packages?: Readonly<Record<string, unknown>>;
  /** Which streams are terminals. */
  readonly terminals?: readonly ('stdin' | 'stdout' | 'stderr')[];
  readonly columns?: number;
  /** After so many writes standard output has no reader any more. */
  readonly closesAfter?: number;
  /** Milliseconds that pass at each reading of the clock. */
  readonly tick?: number;
  /** How much of the memory each look at it finds used up. */
  readonly heapStep?: number;
}

export interface Outcome {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
  /** Number of chunks read from standard input. */
  readonly chunksRead: number;
}

/** Runs the program in a world of its own. */
export async function runIn(world: World, ...argv: string[]): Promise<Outcome> {
  const io = createFakeIo(world);
  const code = await run(argv, io);
  return { code, stdout: io.stdout.text(), stderr: io.stderr.text(), chunksRead: io.chunksRead() };
}

interface FakeOutput extends Output {
  text(): string;
}

interface FakeIo extends Io {
  readonly stdout: FakeOutput;
  readonly stderr: FakeOutput;
  chunksRead(): number;
  /** What was written, by file. */
  readonly saved: ReadonlyMap<string, string>;
}

export function createFakeIo(world: World): FakeIo {
  const { terminals = [], columns = 100 } = world;
  let clock = 0;
  let chunksRead = 0;
  let heapUsage = 0;
  const saved = new Map<string, string>();
  const stdin = chunksOf(world.stdin ?? []);
  return {
    stdin: {
      isTerminal: terminals.includes('stdin'),
      async *[Symbol.asyncIterator]() {
        for (const chunk of stdin) {
          chunksRead += 1;
          yield await Promise.resolve(chunk);
        }
      },
    },
    stdout: fakeOutput(terminals.includes('stdout'), columns, world.closesAfter ?? Infinity),
    stderr: fakeOutput(terminals.includes('stderr'), columns, Infinity),
    openFile: (path) => openFake(world.files ?? {}, path),
    saveFile: (path, chunks) => {
      if (world.files?.[path] !== undefined) throw Object.assign(new Error('exists'), { code: 'EEXIST' });
      saved.set(path, [...chunks].join(''));
    },
    saved,
    interactive: { input: new PassThrough(), output: new PassThrough() },
    prepareHistoryFile: () => Promise.resolve(null),
    env: world.env ?? {},
    loadPackage(name) {
      if (world.packages?.[name] === undefined) throw new Error('not found');
      return world.packages[name];
    },
    heapUsage: () => (heapUsage += world.heapStep ?? 0),
    clock: () => new Date('2026-11-22T12:00:00Z'),
    now: () => (clock += world.tick ?? 1),
    version: '1.2.3',
    chunksRead: () => chunksRead,
  };
}

function chunksOf(content: string | readonly (string | Uint8Array)[]): Uint8Array[] {
  return (typeof content === 'string' ? [content] : content).map((chunk) => Buffer.from(chunk));
}

async function* openFake(files: NonNullable<World['files']>, path: string): AsyncGenerator<Uint8Array> {
  const content = files[path];
  if (content === undefined) {
    const code = path.endsWith('/') ? 'EISDIR' : path.startsWith('secret') ? 'EACCES' : 'ENOENT';
    throw Object.assign(new Error(`${code}: ${path}`), { code });
  }
  for (const chunk of chunksOf(content)) yield await Promise.resolve(chunk);
}

function fakeOutput(isTerminal: boolean, columns: number, closesAfter: number): FakeOutput {
  const parts: Buffer[] = [];
  return {
    isTerminal,
    columns,
    write(data) {
      if (parts.length >= closesAfter) return Promise.reject(new OutputClosed('closed'));
      parts.push(Buffer.from(data));
      return Promise.resolve();
    },
    text: () => Buffer.concat(parts).toString(),
  };
}
