import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAgent, type BuiltAgent } from '../../stress/build-agent.js';
import { stressCrashes } from '../../stress/crash-stress.js';
import { startKillableAgent } from '../../stress/killable-agent.js';

describe('an agent that is killed while it is written to', () => {
  let built: BuiltAgent;
  let dir = '';
  beforeAll(async () => {
    built = await buildAgent();
    dir = mkdtempSync(join(tmpdir(), 'crash-'));
  });
  afterAll(() => {
    built.remove();
    rmSync(dir, { recursive: true });
  });

  it('has lost nothing that it acknowledged when it is started again, ten times', async () => {
    const { figures, mistakes } = await stressCrashes({
      kills: 10,
      writers: 10,
      start: () => startKillableAgent(built.main, ['--data-dir', dir]),
      random: Math.random,
      progress: () => undefined,
    });
    expect(mistakes).toEqual([]);
    const acknowledged = figures.find(({ name }) => name === 'writes acknowledged')?.value;
    expect(acknowledged).toBeGreaterThan(10);
  });
});
