import { setImmediate as turn } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { printFrame, readFrames, type ReceivedFrame } from '@tamis/scheduler-model/host/file-frame.js';
import { createFollowedLogs, type FollowedLogs } from '../../../src/api/resources/files/log-route.js';
import type { LogPlace, LogSource } from '../../../src/api/resources/files/log-source.js';
import { createFakeClock } from '../../../../scheduler-model/test/support/fake-clock.js';
import { dataOf, framesOf } from '../../../../scheduler-model/test/support/open-response.js';
import { until } from '../../../../scheduler-model/test/support/until.js';

/** Bytes of a file before the next one begins. */
const fileLength = 40;

function frameAt(content: Buffer, from: number, max: number): ReceivedFrame {
  const file = Math.floor(from / fileLength);
  const offset = from % fileLength;
  const data = content.subarray(from, Math.min(from + max, (file + 1) * fileLength));
  const frame = { file: `alloc/logs/t.stdout.${file}`, offset, data, event: '' as const };
  return { ...frame, bytes: printFrame(frame) };
}

/** A log on a node that is no more than what has been written. */
function createNode() {
  let content = Buffer.alloc(0);
  let wake: () => void = () => undefined;
  let grown = new Promise<void>((resolve) => (wake = resolve));
  const counts = { open: 0, streams: 0, pieces: 0, frames: 0, busy: 0 };
  const place = (at: LogPlace): number => at.file * fileLength + at.offset;
  async function* follow(from: number, signal: AbortSignal): AsyncGenerator<ReceivedFrame, void, undefined> {
    const gone = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    counts.open += 1;
    try {
      for (let at = from; !signal.aborted;) {
        if (at < content.length) {
          const frame = frameAt(content, at, 16);
          at += frame.data.length;
          counts.frames += 1;
          yield frame;
        } else await Promise.race([grown, gone]);
      }
    } finally {
      counts.open -= 1;
    }
  }
  const source: LogSource = {
    key: 'log',
    async follow(from, signal) {
      counts.streams += 1;
      return follow(place(from), signal);
    },
    async piece(start) {
      counts.pieces += 1;
      await turn();
      if (counts.busy > 0) {
        counts.busy -= 1;
        throw new SchedulerError('node-busy', 'busy');
      }
      const begin = Math.min(
        content.length,
        start.origin === 'file'
          ? place(start)
          : start.origin === 'start'
            ? start.offset
            : content.length - start.offset,
      );
      const frames: ReceivedFrame[] = [];
      for (let at = begin; at < content.length && frames.length < 4; at += frames.at(-1)?.data.length ?? 1) {
        frames.push(frameAt(content, at, 16));
      }
      const file = Math.floor(begin / fileLength);
      return { kind: 'piece', place: { file, offset: begin % fileLength }, frames };
    },
  };
  return {
    source,
    counts,
    text: () => content.toString(),
    write(text: string) {
      content = Buffer.concat([content, Buffer.from(text)]);
      const reported = wake;
      grown = new Promise<void>((resolve) => (wake = resolve));
      reported();
    },
  };
}

async function open(
  logs: FollowedLogs,
  source: LogSource,
  offset = 0,
  plain = true,
): Promise<{ readonly stream: Readable; readonly text: () => string; readonly end: () => void }> {
  const followed = await logs.follow(source, { start: { origin: 'start', offset }, plain });
  if (followed.kind !== 'stream') throw new Error(followed.text);
  const chunks: Buffer[] = [];
  followed.stream.on('data', (chunk: Buffer | string) => void chunks.push(Buffer.from(chunk)));
  followed.stream.on('error', () => undefined);
  return { ...followed, text: () => Buffer.concat(chunks).toString() };
}

describe('a log that many follow', () => {
  it('is one stream from its node, which ends with the last of them', async () => {
    const node = createNode();
    node.write('written before ');
    const logs = createFollowedLogs(createFakeClock());
    const readers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => open(logs, node.source, at % 7)),
    );
    await until(() => readers.every(({ text }) => text().endsWith('before ')));
    for (let at = 0; at < 20; at += 1) {
      node.write(`line ${at} `);
      await turn();
    }
    await until(() => readers.every(({ text }) => text().endsWith('line 19 ')));
    readers.forEach(({ text }, at) => expect(text()).toBe(node.text().slice(at % 7)));
    expect(node.counts).toMatchObject({ streams: 1, open: 1 });
    // Seven beginnings, and what each of them has missed until it is as far as the others.
    expect(node.counts.pieces).toBeLessThan(40);
    expect(logs.count).toBe(1);
    for (const { stream } of readers.slice(1)) stream.destroy();
    await turn();
    expect([logs.count, node.counts.open]).toEqual([1, 1]);
    readers[0]?.stream.destroy();
    await until(() => node.counts.open === 0);
    expect(logs.count).toBe(0);
  });

  it('is whole for everybody, however fast they read and wherever they begin', async () => {
    const reader = fc.record({
      start: fc.nat(300),
      joins: fc.nat(20),
      /** Turns between two reads, of up to so many bytes. */
      pause: fc.nat(12),
      plain: fc.boolean(),
    });
    const writes = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), {
      minLength: 1,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(reader, { minLength: 1, maxLength: 8 }), writes, async (plans, texts) => {
        const node = createNode();
        node.write('begun');
        const logs = createFollowedLogs(createFakeClock());
        const all = texts.join('');
        const done = plans.map(async ({ start, joins, pause, plain }) => {
          for (let at = 0; at < joins; at += 1) await turn();
          const begin = Math.min(start, node.text().length);
          const followed = await logs.follow(node.source, {
            start: { origin: 'start', offset: begin },
            plain,
          });
          if (followed.kind !== 'stream') throw new Error(followed.text);
          const expected = `begun${all}`.slice(begin);
          let text = '';
          const seen = (): string => (plain ? text : dataOf(text));
          await until(async () => {
            for (let at = 0; at < pause; at += 1) await turn();
            const chunk = followed.stream.read() as Buffer | null;
            if (chunk !== null) text += chunk.toString();
            return seen().length >= expected.length;
          });
          expect(seen()).toBe(expected);
          followed.stream.destroy();
        });
        for (const text of texts) {
          node.write(text);
          await turn();
        }
        await Promise.all(done);
        expect(logs.count).toBe(0);
        await until(() => node.counts.open === 0);
      }),
      { numRuns: 150 },
    );
  });

  it('is read as fast as the fastest client reads, without blocking or buffering for others', async () => {
    const node = createNode();
    node.write('.');
    const logs = createFollowedLogs(createFakeClock());
    const stalled = await logs.follow(node.source, { start: { origin: 'start', offset: 0 }, plain: true });
    if (stalled.kind !== 'stream') throw new Error('refused');
    const all = 'x'.repeat(200_000);
    node.write(all);
    for (let at = 0; at < 200; at += 1) await turn();
    // Without a reader, the node has sent no more than what fits into the stream.
    expect(node.counts.frames).toBe(0);
    const quick = await open(logs, node.source);
    await until(() => quick.text().length === all.length + 1);
    node.write('end');
    await until(() => quick.text().endsWith('end'));
    // Who comes to read at last gets all of it.
    let text = '';
    stalled.stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await until(() => text.endsWith('end'));
    expect(text).toBe(node.text());
    stalled.stream.destroy();
    quick.stream.destroy();
    expect(logs.count).toBe(0);
  });

  it('sends heartbeats in frames, reports that its node is silent, and ends', async () => {
    const clock = createFakeClock();
    const node = createNode();
    node.write('text');
    const logs = createFollowedLogs(clock);
    const framed = await open(logs, node.source, 0, false);
    const plain = await open(logs, node.source);
    await until(() => framed.text() !== '' && plain.text() === 'text' && node.counts.open === 1);
    clock.advance(1_000);
    await until(() => framed.text().endsWith('{}'));
    expect(framesOf(framed.text())).toHaveLength(2);
    expect(plain.text()).toBe('text');
    const errors: unknown[] = [];
    for (const { stream } of [framed, plain]) stream.once('error', (error) => errors.push(error));
    clock.advance(15_000);
    await until(() => errors.length === 2);
    expect(errors).toMatchObject([
      { code: 'unreachable' },
      { message: 'rpc error: the node has gone silent' },
    ]);
    expect([logs.count, clock.pending]).toEqual([0, 0]);
    const next = await open(logs, node.source);
    await until(() => next.text() === 'text');
    let isEnded = false;
    next.stream.once('end', () => (isEnded = true));
    next.end();
    await until(() => isEnded);
    expect(logs.count).toBe(0);
  });

  it('waits for a node that is busy, and says what it refuses', async () => {
    const clock = createFakeClock();
    const node = createNode();
    node.write('text');
    node.counts.busy = 3;
    const logs = createFollowedLogs(clock);
    const opening = open(logs, node.source);
    await until(() => node.counts.busy === 0, {
      between: () => {
        clock.advance(50);
        return turn();
      },
    });
    clock.advance(250);
    const { stream } = await opening;
    stream.destroy();
    const refusing: LogSource = {
      ...node.source,
      piece: async () => ({ kind: 'refused', status: 404, text: 'none' }),
    };
    const start = { origin: 'start', offset: 0 } as const;
    expect(await logs.follow(refusing, { start, plain: true })).toMatchObject({ status: 404, text: 'none' });
    const lost: LogSource = {
      ...node.source,
      piece: () => Promise.reject(new SchedulerError('unknown-node', 'gone')),
    };
    await expect(logs.follow(lost, { start, plain: true })).rejects.toThrow('gone');
    expect(logs.count).toBe(0);
  });
});

describe('frames', () => {
  const frame = fc.record({
    file: fc.string({ unit: 'grapheme' }),
    offset: fc.maxSafeNat(),
    data: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    event: fc.constantFrom('', 'file deleted', 'file truncated'),
  });

  it('are read as they were printed, wherever they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame), fc.nat(40), async (frames, size) => {
        const bytes = Buffer.concat(frames.map(printFrame));
        async function* chunks(): AsyncGenerator<Buffer> {
          for (let at = 0; at < bytes.length; at += size + 1) yield bytes.subarray(at, at + size + 1);
        }
        const read = [];
        for await (const { bytes: own, ...one } of readFrames(chunks())) {
          expect(JSON.parse(own.toString())).toBeTypeOf('object');
          read.push(one);
        }
        expect(read).toEqual(frames);
      }),
    );
  });

  it.each([
    '[]}',
    '{"Offset":-1}',
    '{"Offset":0.5}',
    '{"Data":1}',
    '{"FileEvent":"x"}',
    'null}',
    '{',
    `{"Data":"${'A'.repeat(300_000)}`,
  ])('are not %.20s', async (text) => {
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from(text);
    }
    await expect(async () => {
      for await (const one of readFrames(chunks())) void one;
    }).rejects.toThrow();
  });
});
