import { expect, it } from 'vitest';
import type { AuditSink } from '../../src/audit/audit-log.js';
import { startServer } from '../support/secrets-server.js';

it('a secret that was sent as the name of a field is not in the audit log either', async () => {
  let text = '';
  const sink: AuditSink = {
    write: async (lines) => void (text += lines),
    reopen: async () => undefined,
    space: async () => null,
    close: async () => undefined,
  };
  const server = await startServer({ auditSink: sink });
  const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJvaWQiOiIxIn0.c2lnbmF0dXJl';
  // What `curl --data @file` sends when the file holds nothing but a token: a form with one name.
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const form = await server.call('POST', 'auth/cloud/login', { token: null, body: jwt, headers });
  expect(form.status).toBeGreaterThanOrEqual(400);
  await server.call('PUT', 'auth/cloud/role/dev', {
    body: { 'abc~The-Secret': 1, inner: { [jwt]: 2 }, token_ttl: 3 },
  });
  await server.close();
  expect(text).not.toContain(jwt);
  expect(text).not.toContain('abc~The-Secret');
  // Names that are names stay readable.
  expect(text).toContain('"token_ttl":3');
  expect(text).toMatch(/"hmac-sha256:[0-9a-f]{64}":2/);
});
