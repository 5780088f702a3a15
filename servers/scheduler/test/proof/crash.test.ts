import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAgent, type BuiltAgent } from '../../proof/build-agent.js';
import { proveCrashes } from '../../proof/crash-proof.js';
import { startKillableAgent } from '../../proof/killable-agent.js';

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
    const { figures, mistakes } = await proveCrashes({
      kills: 10,
      writers: 10,
      start: () => startKillableAgent(built.main, dir),
      random: Math.random,
      progress: () => undefined,
    });
    expect(mistakes).toEqual([]);
    const acknowledged = figures.find(({ name }) => name === 'writes acknowledged')?.value;
    expect(acknowledged).toBeGreaterThan(10);
  }, 120_000);
});
