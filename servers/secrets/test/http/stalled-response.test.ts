import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createBodyBudgets } from '../../src/http/body-budget.js';
import { createHandler } from '../../src/http/handler.js';
import { defaultListenerLimits } from '../../src/http/limits.js';
import { noForwardedFor } from '../../src/http/peer.js';
import { createFakeClock } from '../support/fake-clock.js';
import { createMemoryLogger } from '../support/secrets-server.js';

describe('a response in chunks', () => {
  let http: Server;
  afterEach(() => new Promise<unknown>((resolve) => http.close(resolve)));

  /** Serves chunks without end, and resolves `ended` when no more of them are requested. */
  async function serve(clock: ReturnType<typeof createFakeClock>): Promise<{
    readonly port: number;
    readonly ended: Promise<void>;
    readonly count: () => number;
  }> {
    let count = 0;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    async function* pieces(): AsyncGenerator<string, void> {
      try {
        for (;;) {
          count += 1;
          yield 'x'.repeat(65_536);
        }
      } finally {
        end();
      }
    }
    const handler = createHandler({
      api: async () => ({ status: 200, body: null, content: { type: 'text/plain', pieces: pieces() } }),
      forward: null,
      pages: () => null,
      host: '127.0.0.1',
      hostNames: [],
      limits: defaultListenerLimits,
      bodyRule: () => ({ maxLength: 0, isOpen: true }),
      bodyBudgets: createBodyBudgets(),
      forwardedFor: noForwardedFor,
      clock,
      uuid: randomUUID,
      logger: createMemoryLogger(),
    });
    http = createServer(handler).listen(0, '127.0.0.1');
    await once(http, 'listening');
    return { port: (http.address() as AddressInfo).port, ended, count: () => count };
  }

  /** Waits until the system takes no more bytes. */
  async function untilStalled(count: () => number): Promise<void> {
    for (let known = -1; known !== count();) {
      known = count();
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('ends if the client reads nothing of it for half a minute', async () => {
    const clock = createFakeClock();
    const { port, ended, count } = await serve(clock);
    const client = connect(port, '127.0.0.1');
    client.pause().on('error', () => undefined);
    client.write('GET /v1/sys/storage/backup HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(client, 'connect');
    while (count() === 0) await new Promise((resolve) => setImmediate(resolve));
    await untilStalled(count);
    clock.advance(30_000);
    await ended;
    expect(clock.pending).toBe(0);
    client.destroy();
  });

  it('goes on if the client reads some of it in each half minute', async () => {
    const clock = createFakeClock();
    const { port, count } = await serve(clock);
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write('GET /v1/sys/storage/backup HTTP/1.1\r\nHost: localhost\r\n\r\n');
    for (let round = 0; round < 5; round += 1) {
      const before = count();
      client.resume();
      while (count() < before + 100) await new Promise((resolve) => setImmediate(resolve));
      client.pause();
      await untilStalled(count);
      clock.advance(29_000);
    }
    expect(client.destroyed).toBe(false);
    client.destroy();
  });
});
