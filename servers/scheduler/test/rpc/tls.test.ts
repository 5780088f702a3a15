import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createAgents } from '../support/agents.js';

function read(name: string): Buffer {
  return readFileSync(new URL(`../support/certificates/${name}`, import.meta.url));
}

const material = { cert: read('cert.pem'), key: read('key.pem'), ca: read('cert.pem') };
const other = { cert: read('other-cert.pem'), key: read('other-key.pem') };
const tls = { certFile: 'cert.pem', keyFile: 'key.pem', caFile: 'cert.pem', http: false, rpc: true };

const agents = createAgents(material);
const strangers = createAgents({ ...other, ca: material.ca });
afterEach(async () => {
  await strangers.close();
  await agents.close();
});

function ping(address: string, options: RequestOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = `https://${address}/internal/ping`;
    const outgoing = request(
      url,
      { ...options, ca: material.ca, headers: { 'x-scheduler-rpc': '1' } },
      (answer) => {
        answer.once('data', (chunk: Buffer) => resolve(chunk.toString()));
      },
    );
    outgoing.once('error', reject);
    outgoing.end();
  });
}

describe('TLS between agents', () => {
  it('carries requests that are passed on, registrations and questions', async () => {
    const { agent, origin } = await agents.server({ tls });
    const client = await agents.client([agent.rpcAddress()], { tls }, true);
    expect(await (await fetch(`${client.origin}/v1/namespaces`)).text()).toContain('"Name":"default"');
    const self = (await (await fetch(`${client.origin}/v1/agent/self`)).json()) as {
      stats: { client: { node_id: string } };
    };
    const url = `${origin}/v1/agent/host?node_id=${self.stats.client.node_id}`;
    let answer = await fetch(url);
    for (; answer.status !== 200; answer = await fetch(url)) await pause(10);
    expect(await answer.text()).toContain('"ROLE":"client"');
  });

  it('is for those who have a certificate of the authorities', async () => {
    const { agent } = await agents.server({ tls });
    const { cert, key } = material;
    expect(await ping(agent.rpcAddress(), { cert, key })).toContain('"server":"srv1.global"');
    await expect(ping(agent.rpcAddress(), {})).rejects.toThrow();
    await expect(ping(agent.rpcAddress(), other)).rejects.toThrow();
    const stranger = await strangers.client([agent.rpcAddress()], { tls });
    const answer = await fetch(`${stranger.origin}/v1/jobs`);
    expect([answer.status, await answer.text()]).toEqual([500, 'no servers']);
  });

  it('is not spoken to servers that show another certificate, or none', async () => {
    const impostor = await strangers.server({ tls });
    const open = await agents.server();
    for (const { agent } of [impostor, open]) {
      const client = await agents.client([agent.rpcAddress()], { tls });
      expect(await (await fetch(`${client.origin}/v1/jobs`)).text()).toBe('no servers');
    }
  });
});
