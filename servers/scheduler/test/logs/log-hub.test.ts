import { describe, expect, it } from 'vitest';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import type { LogRecord } from '../../src/services/logs/log-record.js';

function openHub(level: 'info' | 'silent' = 'info') {
  const written: string[] = [];
  const hub = createLogHub({ level, write: (line) => void written.push(line) });
  return { hub, written };
}

describe('the hub of the log', () => {
  it('writes messages of its own level and above, with any listeners', () => {
    const { hub, written } = openHub();
    const received: LogRecord[] = [];
    hub.logger.debug('before');
    const leave = hub.listen({ level: 'debug', withLocation: false }, (record) => void received.push(record));
    hub.logger.debug('fine');
    hub.logger.warn('coarse');
    leave();
    hub.logger.debug('behind');
    expect(received.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'debug fine',
      'warn coarse',
    ]);
    expect(written.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['coarse']);
    expect(hub.listeners).toBe(0);
  });

  it('speaks to those who listen even while it is silent', () => {
    const { hub, written } = openHub('silent');
    const received: string[] = [];
    hub.listen({ level: 'info', withLocation: false }, ({ message }) => void received.push(message));
    hub.logger.info('anybody?');
    hub.logger.debug('nobody');
    expect(received).toEqual(['anybody?']);
    expect(written).toEqual([]);
  });

  it('sends each listener the requested levels, and nothing for `off`', () => {
    const { hub } = openHub();
    const received: string[] = [];
    for (const level of ['trace', 'error', 'off'] as const) {
      hub.listen({ level, withLocation: false }, ({ message }) => void received.push(`${level} ${message}`));
    }
    hub.logger.info('one');
    hub.logger.fatal('two');
    expect(received).toEqual(['trace one', 'trace two', 'error two']);
  });

  it('changes the level of its parts with its own, so that they are heard too', () => {
    const { hub } = openHub();
    const part = hub.part('http');
    const received: LogRecord[] = [];
    hub.listen({ level: 'debug', withLocation: false }, (record) => void received.push(record));
    part.child({ reqId: 'r1' }).debug({ path: '/v1/jobs' }, 'request complete');
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ module: 'http', message: 'request complete' });
    expect(received[0]?.fields).toEqual([
      ['path', '/v1/jobs'],
      ['request', 'r1'],
    ]);
  });

  it('reports the file and the line only to listeners that want them', () => {
    const { hub } = openHub();
    const callers: string[] = [];
    hub.listen({ level: 'info', withLocation: true }, ({ caller }) => void callers.push(caller));
    hub.listen({ level: 'info', withLocation: false }, ({ caller }) => void callers.push(caller));
    hub.logger.info('here');
    expect(callers[0]).toMatch(/^log-hub\.test\.ts:\d+$/);
    expect(callers[1]).toBe('');
  });

  it('keeps the stack of an error to itself', () => {
    const { hub } = openHub();
    const received: LogRecord[] = [];
    hub.listen({ level: 'error', withLocation: false }, (record) => void received.push(record));
    hub.logger.error({ err: new Error('no room') }, 'request failed');
    expect(received[0]?.fields).toEqual([['error', 'no room']]);
  });
});
