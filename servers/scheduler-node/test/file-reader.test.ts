import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { finished } from 'node:stream/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileReader, type FileReading } from '@tamis/scheduler-node/file-reader.js';
import { openLogFiles, openOneFile } from '@tamis/scheduler-node/file-sequence.js';
import { openFileStream } from '@tamis/scheduler-node/file-stream.js';
import { openTaskOutput } from '@tamis/scheduler-node/task-output.js';
import type { FileFrame } from '@tamis/scheduler-model/host/file-frame.js';
import { createFakeClock } from '../../scheduler-model/test/support/fake-clock.js';
import { dataOf } from '../../scheduler-model/test/support/open-response.js';
import { until } from '../../scheduler-model/test/support/until.js';

let root = '';
let logs = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'file-reader-'));
  logs = join(root, 'alloc', 'logs');
  await mkdir(logs, { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const openFiles = async (): Promise<number> => (await readdir('/proc/self/fd')).length;

async function openLog(reading: FileReading): Promise<FileReader> {
  const reader = await FileReader.open(await openLogFiles(root, 't', 'stdout'), reading);
  if (reader === null) throw new Error('no files');
  return reader;
}

/** What there is to read now. */
async function readAll(reader: FileReader): Promise<readonly FileFrame[]> {
  const frames: FileFrame[] = [];
  for (let piece = await reader.next(); typeof piece !== 'string'; piece = await reader.next())
    frames.push(piece);
  return frames;
}

const textOf = (frames: readonly FileFrame[]): string =>
  Buffer.concat(frames.map(({ data }) => data)).toString();
const follow = { start: { origin: 'start', offset: 0 }, limit: null, follow: true } as const;

describe('reading a log while it is written', () => {
  it('gives every byte once, as long as its files are there', async () => {
    const step = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }),
      fc.constant(null),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.nat(8), async (steps, offset) => {
        await rm(logs, { recursive: true });
        await mkdir(logs);
        const output = openTaskOutput(
          { directory: logs, name: 't', maxFiles: 99, maxFileBytes: 10 },
          'stdout',
        );
        const write = (text: string): Promise<void> =>
          new Promise((resolve) => void output.write(text, () => resolve()));
        let written = 'begin ahead ';
        await write(written);
        const reader = await openLog({ ...follow, start: { origin: 'start', offset } });
        let read = '';
        for (const text of steps) {
          if (text === null) read += textOf(await readAll(reader));
          else {
            await write(text);
            written += text;
          }
        }
        read += textOf(await readAll(reader));
        expect(read).toBe(written.slice(offset));
        await reader.close();
        for (const back of [0, 3, 25, 999]) {
          const end = await openLog({ ...follow, start: { origin: 'end', offset: back }, follow: false });
          expect(textOf(await readAll(end))).toBe(back === 0 ? '' : written.slice(-back));
          await end.close();
        }
        output.end();
        await finished(output);
      }),
      { numRuns: 60 },
    );
  });

  it('says where files are gone, and goes on with the oldest that is there', async () => {
    for (const [number, text] of ['zero', 'one', 'two'].entries())
      await writeFile(join(logs, `t.stdout.${number}`), text);
    const reader = await openLog({ ...follow, start: { origin: 'start', offset: 2 } });
    expect(await reader.next()).toMatchObject({ file: 'alloc/logs/t.stdout.0', offset: 2, event: '' });
    for (const number of [1, 2]) await rm(join(logs, `t.stdout.${number}`));
    await writeFile(join(logs, 't.stdout.7'), 'seven');
    expect(await reader.next()).toMatchObject({
      file: 'alloc/logs/t.stdout.7',
      offset: 0,
      event: 'file deleted',
    });
    const late = await openLog({ ...follow, start: { origin: 'file', file: 3, offset: 9 } });
    expect(await late.next()).toMatchObject({
      file: 'alloc/logs/t.stdout.7',
      offset: 0,
      event: 'file deleted',
    });
    await rm(logs, { recursive: true });
    expect(await reader.next()).toMatchObject({ event: 'file deleted', offset: 5 });
    expect(await reader.next()).toBe('end');
    await Promise.all([reader.close(), late.close()]);
  });

  it('stays with the directory and the file that it has opened', async () => {
    await writeFile(join(logs, 't.stdout.0'), 'mine');
    const reader = await openLog(follow);
    await rename(logs, `${logs}-moved`);
    await mkdir(logs);
    await writeFile(join(logs, 't.stdout.0'), 'another');
    expect(textOf(await readAll(reader))).toBe('mine');
    await reader.close();
  });
});

describe('a stream of a file', () => {
  it('leaves nothing open, whenever it is left', async () => {
    await writeFile(join(logs, 't.stdout.0'), 'x'.repeat(200_000));
    const before = await openFiles();
    for (let turns = 0; turns < 40; turns += 1) {
      const clock = createFakeClock();
      const files =
        turns % 2 === 0
          ? await openLogFiles(root, 't', 'stdout')
          : await openOneFile(root, 'alloc/logs/t.stdout.0');
      const reader = (await FileReader.open(files, follow)) as FileReader;
      const { signal } = new AbortController();
      const stream = openFileStream(reader, { plain: turns % 3 === 0, sendsPosition: false, clock, signal });
      if (turns > 3) stream.resume();
      for (let at = 0; at < turns; at += 1) await turn();
      const closed = new Promise((resolve) => stream.once('close', resolve));
      stream.destroy();
      await closed;
      expect(clock.pending).toBe(0);
    }
    expect(await openFiles()).toBeLessThanOrEqual(before);
  });

  it('ends in order when stopped, and sends heartbeats', async () => {
    await writeFile(join(logs, 't.stdout.0'), 'text');
    const clock = createFakeClock();
    const controller = new AbortController();
    const reader = await openLog(follow);
    const stream = openFileStream(reader, {
      plain: false,
      sendsPosition: true,
      clock,
      signal: controller.signal,
    });
    let text = '';
    let isEnded = false;
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    stream.once('end', () => (isEnded = true));
    await until(() => text.endsWith('{}'), {
      between: () => {
        clock.advance(100);
        return turn();
      },
    });
    expect(dataOf(text)).toBe('text');
    expect(text.startsWith('{"File":"alloc/logs/t.stdout.0"}{')).toBe(true);
    controller.abort();
    await until(() => isEnded);
  });
});
