import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import { openLogStream, type LogStreamOptions } from '../../src/services/logs/log-stream.js';
import { createFakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

const opened: Readable[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.destroy();
});

interface Frame {
  readonly Data?: string;
  readonly FileEvent?: string;
  readonly Offset?: number;
}

function open(options: Partial<LogStreamOptions> = {}, limits: { maxItems?: number } = {}) {
  const clock = createFakeClock();
  const hub = createLogHub({ level: 'silent', write: () => undefined });
  const stream = openLogStream(
    { level: 'info', json: false, withLocation: false, plain: false, ...options },
    {
      hub,
      clock,
      limits: {
        maxItems: 512,
        frameLength: 1_024,
        batchTime: 200,
        heartbeat: 1_000,
        dropNotice: 3_000,
        ...limits,
      },
    },
  );
  opened.push(stream);
  return { clock, hub, stream };
}

/** Takes everything that has been sent. */
function taken(stream: Readable): string {
  let text = '';
  for (let chunk: unknown = stream.read(); chunk !== null; chunk = stream.read()) text += String(chunk);
  return text;
}

function framesIn(text: string): Frame[] {
  return text === '' ? [] : (JSON.parse(`[${text.replaceAll('}{', '},{')}]`) as Frame[]);
}

function dataOf(frames: readonly Frame[]): string {
  return Buffer.concat(frames.map(({ Data = '' }) => Buffer.from(Data, 'base64'))).toString();
}

describe('a stream of the log', () => {
  it('sends lines together, a little later, as frames back to back', () => {
    const { clock, hub, stream } = open();
    expect(taken(stream)).toBe('');
    hub.logger.info('one');
    hub.logger.info('two');
    clock.advance(199);
    expect(taken(stream)).toBe('');
    clock.advance(1);
    const frames = framesIn(taken(stream));
    expect(frames).toHaveLength(1);
    expect(frames[0]).toMatchObject({ FileEvent: 'log' });
    expect(frames[0]).not.toHaveProperty('Offset');
    expect(dataOf(frames)).toMatch(/^.* \[INFO\] {2}one\n.* \[INFO\] {2}two\n$/);
  });

  it('cuts frames at a kilobyte, with the place of each in the stream', () => {
    const { clock, hub, stream } = open({ json: true });
    taken(stream);
    const text = 'x'.repeat(2_500);
    hub.logger.info(text);
    clock.advance(200);
    const frames = framesIn(taken(stream));
    expect(frames.map(({ Offset = 0 }) => Offset)).toEqual([0, 1_024, 2_048]);
    expect(JSON.parse(dataOf(frames))).toMatchObject({ '@message': text });
  });

  it('gives a sign of life every second, in frames only', () => {
    const { clock, stream } = open();
    taken(stream);
    clock.advance(1_000);
    clock.advance(1_000);
    expect(taken(stream)).toBe('{}{}');
    const plain = open({ plain: true });
    taken(plain.stream);
    plain.clock.advance(1_000);
    expect(taken(plain.stream)).toBe('');
  });

  it('sends the bytes of the log unchanged if plain output is requested', () => {
    const { clock, hub, stream } = open({ plain: true });
    taken(stream);
    hub.logger.warn('careful');
    clock.advance(200);
    expect(taken(stream)).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z \[WARN\] {2}careful\n$/);
  });

  it('drops lines that a slow client has no room for, and says how many', () => {
    const { clock, hub, stream } = open({ plain: true }, { maxItems: 2 });
    for (let at = 0; at < 5; at += 1) hub.logger.info(`line ${at}`);
    clock.advance(200);
    expect(taken(stream).match(/line \d/g)).toEqual(['line 0', 'line 1']);
    clock.advance(3_000);
    expect(taken(stream)).toBe('[WARN] Monitor dropped 3 logs during monitor request\n');
    clock.advance(3_000);
    expect(taken(stream)).toBe('');
  });

  it('says so as JSON to those who read JSON', () => {
    const { clock, hub, stream } = open({ plain: true, json: true }, { maxItems: 1 });
    for (let at = 0; at < 3; at += 1) hub.logger.info(`line ${at}`);
    clock.advance(200);
    taken(stream);
    clock.advance(3_000);
    expect(JSON.parse(taken(stream))).toMatchObject({
      '@level': 'warn',
      '@message': 'Monitor dropped 2 logs during monitor request',
    });
  });

  it('releases everything when it is destroyed', () => {
    const { clock, hub, stream } = open();
    hub.logger.info('one');
    stream.destroy();
    expect(hub.listeners).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
