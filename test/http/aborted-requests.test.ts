import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { listEndpoint } from '../../src/entries/http.js';
import { defineSchema, t } from '../../src/index.js';
import { createPool } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';

const schema = defineSchema({ ID: t.string, Text: t.string });

/** A list so long that no socket takes it at once, and its rows count. */
const long = createTable(schema, { key: 'ID', firstIndex: 10 });
long.putAll(Array.from({ length: 12_000 }, (_, at) => ({ ID: `j${at}`, Text: 'x'.repeat(1_500) })));

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

/** The port of a server on a real socket. */
async function serve(handler: Handler): Promise<number> {
  const server = createServer((incoming, outgoing) => void handler(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** A client that can leave. */
function open(port: number, path: string) {
  const outgoing = request({ host: '127.0.0.1', port, path, agent: false });
  outgoing.on('error', () => undefined);
  const served = new Promise<IncomingMessage>((resolve) => outgoing.on('response', resolve));
  outgoing.end();
  return { evaluated: served, leave: () => outgoing.destroy() };
}

describe('a client that leaves', () => {
  it.each([
    ['while it waits', false],
    ['before the list is asked', true],
  ])('waits no more: %s', async (_, isEarly) => {
    const pool = createPool();
    const table = createTable(schema, { key: 'ID', firstIndex: 10 });
    table.put({ ID: 'a', Text: '' });
    const endpoint = listEndpoint(table, { pool });
    let requests = false;
    const port = await serve(async (incoming, outgoing) => {
      requests = true;
      // As if the caller is looked up before the list is queried.
      if (isEarly) await new Promise((resolve) => outgoing.once('close', resolve));
      endpoint.node(incoming, outgoing);
      requests = false;
    });
    const client = open(port, '/?index=11&wait=10m');
    if (isEarly) await expect.poll(() => requests).toBe(true);
    else await expect.poll(() => pool.waiting).toBe(1);
    client.leave();
    await expect.poll(() => [requests, pool.waiting]).toEqual([false, 0]);
    endpoint.close();
  });

  it('holds no rows any more, of which no more were written than its socket takes', async () => {
    const pool = createPool();
    const endpoint = listEndpoint(long, { pool });
    let response: ServerResponse | undefined;
    const port = await serve((incoming, outgoing) => endpoint.node(incoming, (response = outgoing)));
    const client = open(port, '/');
    await client.evaluated;
    await expect.poll(() => response?.writableNeedDrain).toBe(true);
    expect(response?.writableLength).toBeLessThan(1_000_000);
    expect(pool.bufferedRows).toBeGreaterThan(0);
    client.leave();
    await expect.poll(() => pool.bufferedRows).toBe(0);

    // The same of the Fetch API, where one of two readers stays.
    const [one, other] = await Promise.all(
      [1, 2].map(async () => (await endpoint.fetch(new Request('http://list.example/'))).body?.getReader()),
    );
    for (const reader of [one, other]) expect((await reader?.read())?.done).toBe(false);
    await one?.cancel();
    expect(pool.bufferedRows).toBeGreaterThan(0);
    await other?.cancel();
    expect(pool.bufferedRows).toBe(0);
  });

  it('sees an aborted response, never a complete one, and the program gets the reason', async () => {
    const received: unknown[] = [];
    const failure = new Error('no more');
    const endpoint = listEndpoint(long, {
      serialize: ({ ID }) => {
        if (ID === 'j9999') throw failure;
        return ID;
      },
      onError: (error) => received.push(error),
    });
    const port = await serve((incoming, outgoing) => endpoint.node(incoming, outgoing));
    for (const response of [
      await fetch(`http://127.0.0.1:${port}/`),
      await endpoint.fetch(new Request('http://list.example/')),
    ]) {
      expect(response.status).toBe(200);
      await expect(response.text()).rejects.toThrow();
    }
    expect(received).toEqual([failure, failure]);
  });
});
