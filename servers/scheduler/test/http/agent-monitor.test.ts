import { request, type IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';
import { call, createTestAgent } from '../support/test-agent.js';
import { until } from '../../../scheduler-model/test/support/until.js';

let agent: Agent;
afterEach(() => agent.close());

async function openMonitor(
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly response: IncomingMessage; readonly clock: FakeClock; readonly origin: string }> {
  const clock = createFakeClock();
  agent = await createTestAgent({ clock });
  const origin = await agent.listen();
  const outgoing = request(`${origin}/v1/agent/monitor?${query}`, { headers, agent: false });
  outgoing.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  return { response, clock, origin };
}

/** The text that has come once it holds what is looked for; time moves on meanwhile. */
async function readUntil(stream: Readable, pattern: RegExp, clock: FakeClock): Promise<string> {
  let text = '';
  stream.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  await until(() => pattern.test(text), {
    what: `${pattern} in the log`,
    between() {
      clock.advance(50);
      return turn();
    },
  });
  return text;
}

describe('GET /v1/agent/monitor', () => {
  it('responds immediately, before there are any messages', async () => {
    const { response } = await openMonitor('plain=true');
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    response.destroy();
  });

  it('is counted while a client listens, and ends when it disconnects', async () => {
    const { response, origin } = await openMonitor('plain=true');
    const streams = async (): Promise<string | undefined> => {
      const text = await (await fetch(`${origin}/v1/metrics?format=prometheus`)).text();
      return /scheduler_http_streams\{route="\/v1\/agent\/monitor"\} (\d+)/.exec(text)?.[1];
    };
    expect(await streams()).toBe('1');
    response.destroy();
    await until(async () => (await streams()) === '0', { what: 'the end of the stream' });
  });

  it('logs every request if debug is requested', async () => {
    const { response, clock, origin } = await openMonitor('log_level=DEBUG&plain=true');
    await fetch(`${origin}/v1/status/leader?token=hush`);
    const text = await readUntil(response, /request complete/, clock);
    expect(text).toMatch(
      / \[DEBUG\] http: request complete: method=GET path=\/v1\/status\/leader status=200 /,
    );
    expect(text).not.toContain('hush');
    response.destroy();
  });

  it('sends frames, each flushed through the compression, and signs of life', async () => {
    const { response, clock, origin } = await openMonitor('log_level=debug', { 'accept-encoding': 'gzip' });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    });
    await fetch(`${origin}/v1/status/leader`);
    const text = await readUntil(response.pipe(createGunzip()), /"Data".*\{\}/, clock);
    const [, data = ''] = /"Data":"([^"]+)","FileEvent":"log"/.exec(text) ?? [];
    expect(Buffer.from(data, 'base64').toString()).toContain('http: request complete');
    response.destroy();
  });

  it.each([
    ['log_level=noisy', 'Unknown log level: noisy'],
    ['log_json=no', /^Unknown option for log json: /],
    ['log_include_location=maybe', /^Unknown option for log_include_location: /],
    ['plain=maybe', /^Unknown option for plain: /],
    ['node_id=a&server_id=b', 'Cannot target node and server simultaneously'],
    ['log_level=noisy&plain=maybe', 'Unknown log level: noisy'],
  ])('refuses %s', async (query, text) => {
    agent = await createTestAgent();
    const response = await call(agent, `/v1/agent/monitor?${query}`);
    expect(response.status).toBe(400);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.text).toMatch(text);
  });
});
