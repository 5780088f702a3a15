import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { fastify, type FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { acceptsGzip, compressReply } from '../src/index.js';

describe('acceptsGzip', () => {
  it.each<[header: string | undefined, response: boolean]>([
    ['gzip', true],
    ['deflate, gzip', true],
    [' gzip ,br', true],
    ['gzip;q=0.5', false],
    ['x-gzip', false],
    ['br', false],
    ['', false],
    [undefined, false],
  ])('%s', (header, response) => expect(acceptsGzip(header)).toBe(response));
});

const large = 'a line of text\n'.repeat(40_000);

function buildApp(): FastifyInstance {
  const app = fastify();
  app.addHook('onSend', compressReply);
  app.get('/text', () => 'some text');
  app.get('/empty', (_request, reply) => reply.send());
  app.get('/large', () => large);
  app.get('/stream', (_request, reply) => reply.send(Readable.from([large, large])));
  app.get('/broken', (_request, reply) =>
    reply.send(
      Readable.from(
        (function* () {
          yield large;
          throw new Error('the source broke');
        })(),
      ),
    ),
  );
  app.get('/encoded', (_request, reply) => reply.header('content-encoding', 'br').send('bytes'));
  app.get('/error', (_request, reply) => reply.code(400).send('wrong'));
  return app;
}

describe('compressReply', () => {
  it.each<[path: string, text: string]>([
    ['/text', 'some text'],
    ['/empty', ''],
    ['/large', large],
    ['/stream', large + large],
    ['/error', 'wrong'],
  ])('compresses %s for clients that take it', async (path, text) => {
    const app = buildApp();
    const packed = await app.inject({ url: path, headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.headers.vary).toBe('Accept-Encoding');
    expect(gunzipSync(packed.rawPayload).toString()).toBe(text);
    const plain = await app.inject({ url: path });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers.vary).toBe('Accept-Encoding');
    expect(plain.body).toBe(text);
  });

  it.each<[why: string, path: string, headers: Record<string, string>]>([
    ['it is encoded already', '/encoded', { 'accept-encoding': 'gzip' }],
    ['the protocol is about to change', '/text', { 'accept-encoding': 'gzip', upgrade: 'h2c' }],
  ])('leaves the body alone when %s', async (_why, path, headers) => {
    const response = await buildApp().inject({ url: path, headers });
    expect(response.headers['content-encoding']).not.toBe('gzip');
  });

  it('breaks off when the source does', async () => {
    const app = buildApp();
    const address = await app.listen({ port: 0 });
    const response = await fetch(`${address}/broken`, { headers: { 'accept-encoding': 'gzip' } });
    await expect(response.text()).rejects.toThrow();
    await app.close();
  });
});
