import { closeSync, createReadStream, openSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { installDefaults } from '../entries/node-defaults.js';
import { OutputClosed, UsageError, type Input, type Io, type Output } from './io.js';
import { run } from './run.js';

/** Number of bytes read at once. Large enough that processing a chunk takes longer than reading it. */
const chunkSize = 256 * 1024;

function createOutput(stream: NodeJS.WriteStream): Output {
  let failure: Error | null = null;
  // Without a listener a closed pipe would end the process with a stack trace.
  stream.on('error', (error) => (failure = outputFailure(error)));
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns > 0 ? stream.columns : 80;
    },
    write: (data) =>
      new Promise((resolve, reject) => {
        if (failure !== null) reject(failure);
        else stream.write(data, (error) => (error ? reject(outputFailure(error)) : resolve()));
      }),
  };
}

function outputFailure(error: Error): Error {
  const code = 'code' in error ? error.code : null;
  const isClosed = code === 'EPIPE' || code === 'EOF' || code === 'ERR_STREAM_DESTROYED';
  if (isClosed) return new OutputClosed('the reader of the output has ended');
  return new UsageError(`the output cannot be written: ${error.message}`);
}

function createInput(stream: NodeJS.ReadStream): Input {
  return { isTerminal: stream.isTTY === true, [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator]() };
}

/** The version in the package's own manifest, in the parent directory of the built file, or one level higher for the sources. */
function readVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'));
      if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
        return String(manifest.version);
    } catch {
      continue;
    }
  }
  return 'unknown';
}

/** Returns the directory for program state, as defined by XDG and Windows. */
async function prepareHistoryFile(): Promise<string | null> {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const fallback =
    process.platform === 'win32' && LOCALAPPDATA ? LOCALAPPDATA : join(homedir(), '.local', 'state');
  const folder = join(XDG_STATE_HOME || fallback, 'tamis');
  try {
    // Filters may contain confidential names.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return join(folder, 'history');
  } catch {
    return null;
  }
}

function saveFile(path: string, chunks: Iterable<string>): void {
  const file = openSync(path, 'wx');
  try {
    for (const chunk of chunks) writeFileSync(file, chunk);
  } finally {
    closeSync(file);
  }
}

function heapUsage(): number {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used / limit;
}

const io: Io = {
  stdin: createInput(process.stdin),
  stdout: createOutput(process.stdout),
  stderr: createOutput(process.stderr),
  openFile: (path) => createReadStream(path, { highWaterMark: chunkSize }),
  saveFile,
  interactive: { input: process.stdin, output: process.stdout },
  prepareHistoryFile,
  env: process.env,
  loadPackage: createRequire(join(process.cwd(), 'package.json')),
  now: () => performance.now(),
  clock: () => new Date(),
  heapUsage,
  version: readVersion(),
};

installDefaults();
process.exitCode = await run(process.argv.slice(2), io);
