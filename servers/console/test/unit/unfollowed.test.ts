import { describe, expect, it } from 'vitest';
import { latestPerJob } from '../../src/overview/latest-per-job.js';

const row = (ID: string, JobID: string, CreateIndex: number, Namespace = 'default') => ({
  ...{ ID, JobID, CreateIndex, Namespace },
});

describe('rows that nothing followed', () => {
  it('are those that are the newest of their jobs', () => {
    const failed = [row('c', 'web', 30), row('b', 'api', 20), row('a', 'web', 10)];
    expect(latestPerJob(failed, [])).toEqual([failed[0], failed[1]]);
    expect(latestPerJob(failed, [row('d', 'web', 40), ...failed])).toEqual([failed[1]]);
    expect(latestPerJob(failed, [row('d', 'web', 40), row('e', 'api', 41)])).toEqual([]);
  });

  it('are not followed by a job of that name elsewhere', () => {
    const failed = [row('a', 'web', 10)];
    expect(latestPerJob(failed, [row('b', 'web', 20, 'apps')])).toEqual(failed);
  });
});
