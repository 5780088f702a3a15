import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAgent, type BuiltAgent } from '../../../stress/build-agent.js';
import { readClusterArguments } from '../../../stress/cluster/cluster-arguments.js';
import { runCase } from '../../../stress/cluster/run-cases.js';
import { etcdMissing } from '../../../../scheduler-state/test/support/etcd-logs.js';

const { chosen, extent } = readClusterArguments(['--quick', '--only', '2,3']);

describe.skipIf(etcdMissing !== undefined)(`servers as processes on one etcd ${etcdMissing ?? ''}`, () => {
  let built: BuiltAgent;
  beforeAll(async () => {
    built = await buildAgent();
  });
  afterAll(() => built.remove());

  it.each(chosen.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const cleanup = new Set<() => Promise<unknown>>();
    const { mistakes } = await runCase(one, { main: built.main, extent, cleanup, progress: () => undefined });
    expect(mistakes).toEqual([]);
    expect(cleanup.size).toBe(0);
  });
});
