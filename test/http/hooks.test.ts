import { EventEmitter } from 'node:events';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { listEndpoint } from '../../src/entries/http.js';
import { createTable } from '../../src/entries/table.js';
import { defineSchema, t } from '../../src/index.js';

const table = createTable(defineSchema({ ID: t.string, Text: t.string }), { key: 'ID' });
for (let at = 0; at < 5_000; at += 1) table.put({ ID: `r${at}`, Text: 'x'.repeat(200) });
const endpoint = listEndpoint(table);

describe('a list in Fastify', () => {
  it.each(['/?per_page=2', '/'])('passes the body of %s through onSend hooks', async (url) => {
    const app = fastify();
    const seen: string[] = [];
    app.addHook('onSend', (_request, reply, payload, done) => {
      seen.push(Buffer.isBuffer(payload) ? 'bytes' : typeof (payload as { pipe?: unknown }).pipe);
      void reply.header('x-hook', 'yes');
      done(null, payload);
    });
    app.get('/', endpoint.fastify as never);
    const response = await app.inject({ url });
    expect([response.statusCode, response.headers['x-hook']]).toEqual([200, 'yes']);
    expect(JSON.parse(response.body)).toHaveLength(url === '/' ? 5_000 : 2);
    expect(seen).toEqual([url === '/' ? 'function' : 'bytes']);
    await app.close();
  });
});

it('adds one drain listener to a response, however often it waits', async () => {
  // As the responses of `compression`: listeners of drain go to a stream of their own, and are never removed.
  const stream = new EventEmitter();
  let writes = 0;
  const body = new Promise<number>((resolve) => {
    const response = Object.assign(new EventEmitter(), {
      writeHead: () => undefined,
      write: () => {
        writes += 1;
        setImmediate(() => stream.emit('drain'));
        return false;
      },
      end: () => resolve(writes),
      destroy: () => resolve(-1),
    });
    const { on } = response;
    response.on = ((event: string, listener: () => void) =>
      event === 'drain' ? stream.on(event, listener) : on.call(response, event, listener)) as typeof on;
    endpoint.node({ method: 'GET', url: '/', headers: {} }, response as never);
  });
  expect(await body).toBeGreaterThan(2);
  expect(stream.listenerCount('drain')).toBe(1);
});
