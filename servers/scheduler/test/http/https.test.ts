import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect as connectPlain } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { defaultAgentConfig } from '../../src/agent/settings/agent-config.js';
import { renewCertificate } from '../../src/api/kernel/certificate.js';
import { createTestAgent, type TestOptions } from '../support/test-agent.js';

function pem(name: string): Buffer {
  return readFileSync(new URL(`../support/certificates/${name}`, import.meta.url));
}

const cert = pem('cert.pem');
const material = { cert, key: pem('key.pem'), ca: null };
const tls = { certFile: 'cert.pem', keyFile: 'key.pem', caFile: null, http: true, rpc: false };

const agents: Agent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
});

async function start(
  config: TestOptions['config'] = {},
): Promise<{ agent: Agent; address: string; port: number }> {
  const agent = await createTestAgent({ config: { tls, ...config }, tls: material });
  agents.push(agent);
  const address = await agent.listen();
  return { agent, address, port: (agent.app.server.address() as AddressInfo).port };
}

function send(
  url: string,
): Promise<{ status: number; text: string; version: string | null; header: unknown }> {
  return new Promise((resolve, reject) => {
    get(url, { ca: cert, agent: false }, (response) => {
      const version = (response.socket as TLSSocket).getProtocol();
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          text,
          version,
          header: response.headers['x-scheduler-index'],
        });
      });
    }).on('error', reject);
  });
}

/** What a client sees of the certificate. */
function seen(port: number): Promise<X509Certificate | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate());
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('the HTTP API over TLS', () => {
  it('serves clients that trust its certificate', async () => {
    const { address } = await start();
    expect(address).toMatch(/^https:\/\/127\.0\.0\.1:/);
    expect(await send(`${address}/v1/jobs`)).toEqual({
      status: 200,
      text: '[]',
      version: 'TLSv1.3',
      header: '1',
    });
    expect((await send(`${address}/v1/jobs?filter=%25`)).status).toBe(400);
  });

  it('speaks no old TLS and no plain HTTP', async () => {
    const { port } = await start();
    const old = new Promise((resolve, reject) => {
      connect({ port, host: '127.0.0.1', ca: cert, maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1' }, () => {
        resolve('connected');
      }).on('error', reject);
    });
    await expect(old).rejects.toThrow();
    const plain = new Promise<string>((resolve) => {
      let text = '';
      const socket = connectPlain(port, '127.0.0.1', () =>
        socket.write('GET /v1/jobs HTTP/1.1\r\nHost: a\r\n\r\n'),
      );
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.on('error', () => undefined).on('close', () => resolve(text));
    });
    expect(await plain).not.toContain('HTTP/1.1 200');
    expect((await send(`https://127.0.0.1:${port}/v1/jobs`)).status).toBe(200);
  });

  it('hangs up on too many connections from one address', async () => {
    const { address, port } = await start({
      http: { ...defaultAgentConfig.http, maxConnectionsPerClient: 1 },
    });
    const first = connect({ port, host: '127.0.0.1', ca: cert });
    await new Promise((resolve) => first.once('secureConnect', resolve));
    await expect(send(`${address}/v1/jobs`)).rejects.toThrow();
    const closed = new Promise((resolve) => first.once('close', resolve));
    first.destroy();
    await closed;
  });

  it('shows another certificate from the next connection on', async () => {
    const { agent, port } = await start();
    const other = { cert: pem('other-cert.pem'), key: pem('other-key.pem') };
    const before = await seen(port);
    renewCertificate(agent.app.server, other);
    const after = await seen(port);
    expect(before?.fingerprint256).toBe(new X509Certificate(cert).fingerprint256);
    expect(after?.fingerprint256).toBe(new X509Certificate(other.cert).fingerprint256);
  });
});

it('a listener without TLS has no certificate to change', async () => {
  const agent = await createTestAgent();
  agents.push(agent);
  expect(() => renewCertificate(agent.app.server, material)).not.toThrow();
});
