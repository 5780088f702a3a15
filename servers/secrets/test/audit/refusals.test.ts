import { afterEach, describe, expect, it } from 'vitest';
import { createLogQuota, createRefusalQuota } from '../../src/api/log-quota.js';
import type { AuditSink } from '../../src/audit/audit-log.js';
import { createFakeClock } from '../support/fake-clock.js';
import { startServer, type TestServer } from '../support/secrets-server.js';

describe('a refusal quota', () => {
  it('bounds the bytes of each token and of each address in a minute, and reports what it left out', () => {
    const clock = createFakeClock();
    const reports: number[] = [];
    const quota = createRefusalQuota({ clock, report: (count) => void reports.push(count) });
    const takeAll = (token: string, peer: string): number => {
      const own = quota.of(token, peer);
      let bytes = 0;
      while (!own.isSpent() && own.take(2_000)) bytes += 2_000;
      own.leaveOut();
      return bytes;
    };
    expect(takeAll('a', '10.0.0.1')).toBe(100_000);
    expect(takeAll('a', '10.0.0.2')).toBe(0);
    for (const token of ['b', 'c', 'd', 'e']) expect(takeAll(token, '10.0.0.1')).toBe(100_000);
    expect(takeAll('f', '10.0.0.1')).toBe(0);
    expect(takeAll('f', '10.0.0.2')).toBe(100_000);
    clock.advance(60_000);
    expect(reports).toEqual([8]);
    expect(takeAll('a', '10.0.0.1')).toBe(100_000);
    quota.close();
    expect(reports).toEqual([8, 1]);
  });

  it('counts the tokens and addresses beyond the first 20,000 together', () => {
    const quota = createRefusalQuota({ clock: createFakeClock(), report: () => undefined });
    const early = quota.of('early', '10.0.0.1');
    const late = quota.of('late', '10.0.0.2');
    for (let at = 0; at < 10_000; at += 1) quota.of(`token ${at}`, `address ${at}`).take(1);
    // Both the token and the address of a request count for the shared maximum.
    expect(early.take(50_000)).toBe(true);
    expect(early.isSpent()).toBe(true);
    expect(late.isSpent()).toBe(true);
    expect(quota.of('token 0', 'address 0').take(50_000)).toBe(true);
  });
});

describe('a log quota', () => {
  it('reports a line that is left out after its period has ended', () => {
    const clock = createFakeClock();
    const reports: (readonly [count: number, since: number])[] = [];
    const quota = createLogQuota({ clock, report: (...report) => void reports.push(report) });
    expect(quota.take(500_000)).toBe(true);
    clock.advance(60_000);
    const since = clock.now();
    quota.leaveOut();
    clock.advance(60_000);
    expect(reports).toEqual([[1, since]]);
  });

  it('stays within its maximum when bytes of the previous period are given back', () => {
    const clock = createFakeClock();
    const quota = createLogQuota({ clock, report: () => undefined });
    expect(quota.take(1_000)).toBe(true);
    clock.advance(60_000);
    quota.giveBack(1_000);
    expect(quota.take(500_000)).toBe(true);
    expect(quota.isSpent()).toBe(true);
  });

  it('lets bytes that are given back be taken again', () => {
    const quota = createLogQuota({ clock: createFakeClock(), report: () => undefined });
    expect(quota.take(500_000)).toBe(true);
    quota.giveBack(1_000);
    expect(quota.isSpent()).toBe(false);
    expect(quota.take(1_001)).toBe(false);
    expect(quota.take(1)).toBe(false);
  });
});

describe('refusals of a token', () => {
  let server: TestServer;
  afterEach(() => server.close());

  it('fill a bounded part of the audit log and of the log, while successful requests are always there', async () => {
    let text = '';
    const auditSink: AuditSink = {
      write: async (lines) => void (text += lines),
      reopen: async () => undefined,
      space: async () => null,
      close: async () => undefined,
    };
    server = await startServer({ auditSink });
    const made = await server.call('POST', 'auth/token/create', { body: { policies: ['default'] } });
    const token = String(made.body.auth?.client_token);
    const before = [text.length, JSON.stringify(server.logger.lines).length] as const;
    for (let at = 0; at < 400; at += 1) {
      expect((await server.call('GET', `sys/policies/acl/x${at}`, { token })).status).toBe(403);
    }
    expect(text.length - before[0]).toBeGreaterThan(90_000);
    expect(text.length - before[0]).toBeLessThanOrEqual(100_000);
    expect(JSON.stringify(server.logger.lines).length - before[1]).toBeLessThan(60_000);
    const length = text.length;
    expect((await server.call('GET', 'auth/token/lookup-self', { token })).status).toBe(200);
    expect(text.slice(length).trimEnd().split('\n')).toHaveLength(2);
    server.clock.advance(60_000);
    await expect
      .poll(() => text)
      .toMatch(/"type":"suppressed","count":\d+,"since":"[^"]+","with_token":true/);
    const refusals = text.split('\n').filter((line) => line.includes('"status":403')).length;
    const counted = Number(/"suppressed","count":(\d+)/.exec(text)?.[1]);
    expect(refusals + counted).toBe(400);
  });
});
