import { expect, it } from 'vitest';
import { createLogQuota } from '../../src/api/log-quota.js';
import { limitLogger } from '../../src/api/limited-logger.js';
import { createFakeClock } from '../support/fake-clock.js';
import { createMemoryLogger } from '../support/secrets-server.js';

it('limits log output of unauthenticated clients to half a megabyte per minute, and counts the rest', () => {
  const clock = createFakeClock();
  const logger = createMemoryLogger();
  const reports: number[] = [];
  const limited = limitLogger(logger, createLogQuota({ clock, report: (count) => reports.push(count) }));
  const lengths: number[] = [];
  for (let minute = 0; minute < 3; minute += 1) {
    const before = logger.lines.length;
    for (let at = 0; at < 5_000; at += 1)
      limited.info({ path: 'x'.repeat(200), at, err: new Error('why') }, 'refused');
    lengths.push(logger.lines.length - before);
    const bytes = JSON.stringify(logger.lines.slice(before)).length;
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(500_000);
    clock.advance(60_000);
  }
  expect(reports).toEqual(lengths.map((length) => 5_000 - length));
});
