import { accessSync, constants, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { ImportError } from '@tamis/scheduler-state/cluster/import.js';
import { CommandError } from '@tamis/scheduler-command/command-error.js';
import { maxLineLength, splitLines, type Lines } from '@tamis/scheduler-state/progress/lines.js';

/** Number of bytes to read at a time, always into the same buffer: a file may be a million times as large. */
const chunkSize = 262_144;

/** Checks that a file can be read, before other work. @throws CommandError */
export function requireFile(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new CommandError(isMissing ? `There is no file ${file}` : `${file} may not be read`);
  }
  if (statSync(file).isDirectory()) throw new CommandError(`${file} is a directory: name a file`);
}

/**
 * Returns the lines of a file.
 *
 * @throws ImportError for a line that is too long, or errors of the file system, both while reading.
 */
export function linesOfFile(file: string): Lines {
  let read = 0;
  let size = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const handle = await open(file, 'r');
    try {
      ({ size } = await handle.stat());
      const buffer = Buffer.allocUnsafeSlow(chunkSize);
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, chunkSize, null);
        if (bytesRead === 0) return;
        read += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }
  return {
    lines: splitLines(pieces(), tooLongIn(file)),
    done: () => (size === 0 ? null : Math.min(read / size, 1)),
  };
}

/**
 * Returns the lines of external input of unknown length.
 *
 * @param name name of the source in errors.
 * @throws ImportError if a line is too long, while it is read.
 */
export function linesOfStream(source: AsyncIterable<Uint8Array>, name: string): Lines {
  return { lines: splitLines(source, tooLongIn(name)), done: () => null };
}

function tooLongIn(file: string): (line: number) => Error {
  const problem = `is longer than ${maxLineLength} characters: is it one object a line?`;
  return (line) => new ImportError(file, line, problem);
}
