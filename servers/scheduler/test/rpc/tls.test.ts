import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createKnownServers } from '@tamis/scheduler-node/known-servers.js';
import { parseAddress } from '@tamis/scheduler-model/host/address.js';
import { createLogHub } from '../../src/services/logs/log-hub.js';
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js';
import { createAgents } from '../support/agents.js';

function read(name: string): Buffer {
  return readFileSync(new URL(`../support/certificates/${name}`, import.meta.url));
}

const material = { cert: read('cert.pem'), key: read('key.pem'), ca: read('cert.pem') };
const other = { cert: read('other-cert.pem'), key: read('other-key.pem') };
const tls = { certFile: 'cert.pem', keyFile: 'key.pem', caFile: 'cert.pem', http: false, rpc: true };

const agents = createAgents(material);
const unknownPeers = createAgents({ ...other, ca: material.ca });
afterEach(async () => {
  await unknownPeers.close();
  await agents.close();
});

function ping(address: string, options: RequestOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const url = `https://${address}/internal/ping`;
    const outgoing = request(
      url,
      { ca: material.ca, ...options, headers: { 'x-scheduler-rpc': '1' } },
      (response) => {
        response.once('data', (chunk: Buffer) => resolve(chunk.toString()));
      },
    );
    outgoing.once('error', reject);
    outgoing.end();
  });
}

describe('TLS between agents', () => {
  it('carries forwarded requests, registrations and queries', async () => {
    const { agent, origin } = await agents.server({ tls });
    const client = await agents.client([agent.rpcAddress()], { tls }, true);
    expect(await (await fetch(`${client.origin}/v1/namespaces`)).text()).toContain('"Name":"default"');
    const self = (await (await fetch(`${client.origin}/v1/agent/self`)).json()) as {
      stats: { client: { node_id: string } };
    };
    const url = `${origin}/v1/agent/host?node_id=${self.stats.client.node_id}`;
    let response = await fetch(url);
    for (; response.status !== 200; response = await fetch(url)) await pause(10);
    expect(await response.text()).toContain('"ROLE":"client"');
  });

  it('is for those who have a certificate of the authorities', async () => {
    const { agent } = await agents.server({ tls });
    const { cert, key } = material;
    expect(await ping(agent.rpcAddress(), { cert, key })).toContain('"server":"srv1.global"');
    await expect(ping(agent.rpcAddress(), {})).rejects.toThrow();
    await expect(ping(agent.rpcAddress(), other)).rejects.toThrow();
    const unknownPeer = await unknownPeers.client([agent.rpcAddress()], { tls });
    const response = await fetch(`${unknownPeer.origin}/v1/jobs`);
    expect([response.status, await response.text()]).toEqual([500, 'no servers']);
  });

  it('presents a new certificate from the next connection on, and requires those of other authorities', async () => {
    const { agent, origin } = await agents.server({ tls });
    const client = await agents.client([agent.rpcAddress()], { tls });
    const renewed = { ...other, ca: other.cert };
    agent.renew(renewed);
    await expect(ping(agent.rpcAddress(), material)).rejects.toThrow();
    expect(await ping(agent.rpcAddress(), renewed)).toContain('"server":"srv1.global"');
    client.agent.renew(renewed);
    expect((await fetch(`${client.origin}/v1/jobs`)).status).toBe(200);
    expect((await fetch(`${origin}/v1/jobs`)).status).toBe(200);
  });

  it('says on both sides why a client cannot connect, on the server once', async () => {
    const lines: string[] = [];
    const logs = createLogHub({ level: 'warn', write: (line) => void lines.push(line) });
    const { agent, origin } = await agents.server({ tls }, logs);
    const servers = (address: string) =>
      createKnownServers({
        initial: () => [parseAddress(address, 0)],
        ping: () => Promise.reject(new Error()),
      });
    const why = async (rpc: RpcClient, address: string): Promise<unknown> => {
      const requests = rpc.call(servers(address), { method: 'GET', path: '/internal/rights' });
      const error = await requests.then(
        () => null,
        (reason: unknown) => reason as Error,
      );
      rpc.close();
      return [error?.message, (error?.cause as Error | undefined)?.message];
    };
    for (let times = 0; times < 2; times += 1)
      expect(await why(createRpcClient(null), agent.rpcAddress())).toEqual([
        'no servers',
        expect.stringMatching(
          /connection reset by peer \(if that port has tls\.rpc, this agent needs it too/,
        ),
      ]);
    expect(await why(createRpcClient({ ...other, ca: material.ca }), agent.rpcAddress())).toEqual([
      'no servers',
      expect.stringMatching(/^dial tcp /),
    ]);
    expect(await why(createRpcClient(material), new URL(origin).host)).toEqual([
      'no servers',
      expect.stringMatching(/that port has no tls\.rpc/),
    ]);
    expect(await why(createRpcClient(null), '127.0.0.1:1')).toEqual([
      'no servers',
      'dial tcp 127.0.0.1:1: connect: connection refused',
    ]);
    expect(await why(createRpcClient(null), new URL(origin).host)).toEqual([
      'rpc error: status 404 without a word, is this the RPC port?',
      undefined,
    ]);
    const reported = lines.map((line) => JSON.parse(line) as { msg: string; reason?: string });
    expect(reported.filter(({ reason }) => reason?.startsWith('it speaks no TLS'))).toHaveLength(1);
  });

  it('is not spoken to servers that show another certificate, or none', async () => {
    const impostor = await unknownPeers.server({ tls });
    const open = await agents.server();
    for (const { agent } of [impostor, open]) {
      const client = await agents.client([agent.rpcAddress()], { tls });
      expect(await (await fetch(`${client.origin}/v1/jobs`)).text()).toBe('no servers');
    }
  });
});
