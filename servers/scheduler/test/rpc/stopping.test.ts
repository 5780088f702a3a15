import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createAgents } from '../support/agents.js';
import { until } from '../../../scheduler-model/test/support/until.js';

const agents = createAgents();
afterEach(() => agents.close());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Far less than the time that an idle connection stays open. */
const timeoutMs = 20_000;

describe('an agent that stops', () => {
  it.each(['the server', 'a node', 'the server, by way of a client'])('ends the log of %s', async (which) => {
    const { agent, origin } = await agents.server();
    const client = await agents.client([agent.rpcAddress()], {}, true);
    const self = (await (await fetch(`${client.origin}/v1/agent/self`)).json()) as {
      stats: { client: { node_id: string } };
    };
    const id = self.stats.client.node_id;
    const ofNode = `${origin}/v1/agent/monitor?node_id=${id}`;
    const urls = new Map([
      ['the server', `${origin}/v1/agent/monitor`],
      ['a node', ofNode],
      ['the server, by way of a client', `${client.origin}/v1/agent/monitor?server_id=leader`],
    ]);
    let response = await fetch(urls.get(which) ?? '');
    // The connection comes about in the background.
    await until(() => response.status === 200, {
      what: `an answer of ${which}`,
      async between() {
        await response.text();
        await pause(10);
        response = await fetch(urls.get(which) ?? '');
      },
    });
    const text = response.text().catch(() => 'broken off');
    await Promise.race([
      agent.close(),
      pause(timeoutMs, null, { ref: false }).then(() => Promise.reject(new Error('slow'))),
    ]);
    expect(await text).toMatch(/^(?:\{.*\})*$/s);
  });
});

describe('an agent that cannot listen', () => {
  it('releases all resources', async () => {
    const { origin } = await agents.server();
    const port = Number(new URL(origin).port);
    const rpcPort = await freePort();
    const inUse = agents.server({ port, rpcPort });
    await expect(inUse).rejects.toMatchObject({ code: 'EADDRINUSE', port });
    // The listener for other agents was there before, and is gone.
    await expect(fetch(`http://127.0.0.1:${rpcPort}/internal/ping`)).rejects.toThrow();
  });
});
