import { expect, it } from 'vitest';
import type { AuditSink } from '../../src/audit/audit-log.js';
import { startServer } from '../support/secrets-server.js';

/** The audit log of some requests, as one string. */
async function auditOf(
  send: (server: Awaited<ReturnType<typeof startServer>>) => Promise<void>,
): Promise<string> {
  let text = '';
  const sink: AuditSink = {
    write: async (lines) => void (text += lines),
    reopen: async () => undefined,
    space: async () => null,
    close: async () => undefined,
  };
  const server = await startServer({ auditSink: sink });
  await send(server);
  await server.close();
  return text;
}

it('a secret of digits alone, sent as a number, is hashed as a text is', async () => {
  const text = await auditOf(async (server) => {
    await server.call('POST', 'auth/cloud/config', { body: { client_secret: 7362514093, tenant_id: 4410 } });
    await server.call('PUT', 'sys/unseal', { token: null, body: { key: 7362514094, jwt: [7362514095] } });
    await server.call('PUT', 'auth/cloud/role/dev', {
      body: { token_ttl: 7362514, secret: { of: 7362514096 } },
    });
  });
  expect(text).not.toContain('7362514093');
  expect(text).not.toContain('7362514094');
  expect(text).not.toContain('7362514095');
  expect(text).not.toContain('7362514096');
  expect(text).toContain('"token_ttl":7362514');
});

it('a secret that was sent as the name of a field is not in the audit log either', async () => {
  const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJvaWQiOiIxIn0.c2lnbmF0dXJl';
  const text = await auditOf(async (server) => {
    // What `curl --data @file` sends when the file holds nothing but a token: a form with one name.
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const form = await server.call('POST', 'auth/cloud/login', { token: null, body: jwt, headers });
    expect(form.status).toBeGreaterThanOrEqual(400);
    await server.call('PUT', 'auth/cloud/role/dev', {
      body: { 'abc~The-Secret': 1, inner: { [jwt]: 2 }, token_ttl: 3 },
    });
  });
  expect(text).not.toContain(jwt);
  expect(text).not.toContain('abc~The-Secret');
  // Names that are names stay readable.
  expect(text).toContain('"token_ttl":3');
  expect(text).toMatch(/"hmac-sha256:[0-9a-f]{64}":2/);
});
