import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer, type BuiltServer } from '../../stress/build-server.js';
import { proveCrashes } from '../../stress/crash-stress.js';
import { proveFuzz } from '../../stress/fuzz-stress.js';
import { proveHostile } from '../../stress/hostile-stress.js';
import { proveRotations } from '../../stress/rotation-stress.js';
import { proveLogins } from '../../stress/login-stress.js';

/** The stress tests in a small size: each runs the built server in a process of its own. */

let built: BuiltServer;
let root = '';
beforeAll(async () => {
  built = await buildServer();
  root = mkdtempSync(join(tmpdir(), 'secrets-stress-'));
});
afterAll(() => {
  built.remove();
  rmSync(root, { recursive: true });
});

function directory(name: string): string {
  const made = join(root, name);
  mkdirSync(made);
  return made;
}

const progress = (): void => undefined;

describe('a server that is killed while roles are written', () => {
  it('has lost none that it acknowledged when it is started again, ten times', async () => {
    const { figures, mistakes } = await proveCrashes({
      main: built.main,
      directory: directory('crash'),
      kills: 10,
      writers: 3,
      maxLifeMs: 80,
      random: Math.random,
      progress,
    });
    expect(mistakes).toEqual([]);
    expect(figures.find(({ name }) => name === 'writes acknowledged')?.value).toBeGreaterThan(0);
  });
});

describe('a server that is killed while its keys are rotated and replaced', () => {
  it('opens with a reported key, and has lost nothing that it acknowledged, ten times', async () => {
    const { figures, mistakes } = await proveRotations({
      main: built.main,
      directory: directory('rotation'),
      kills: 10,
      random: Math.random,
      progress,
    });
    expect(mistakes).toEqual([]);
    expect(figures.find(({ name }) => name === 'policies acknowledged')?.value).toBeGreaterThanOrEqual(10);
  });
});

describe('two hundred logins with unknown keys', () => {
  it('fetch the key set once at most, and good ones never again', async () => {
    const { figures, mistakes } = await proveLogins({
      main: built.main,
      directory: directory('login'),
      logins: 40,
      connections: 20,
      external: 200,
      progress,
    });
    expect(mistakes).toEqual([]);
    const fetches = figures.filter(({ name }) => name.includes('key-set fetches')).map(({ value }) => value);
    expect(fetches).toEqual([1, 0]);
  });
});

describe('whatever is sent', () => {
  it('is refused as the mistake of its sender, and no secret is written anywhere', async () => {
    const { figures, mistakes } = await proveFuzz({
      main: built.main,
      directory: directory('fuzz'),
      runs: 60,
      seed: 1,
      progress,
    });
    expect(mistakes).toEqual([]);
    expect(figures.find(({ name }) => name === 'responses with 403')?.value).toBeGreaterThan(50);
  });
});

describe('what holders of tokens send to do harm', () => {
  it('adds at most 4 kB of audit per request, uses little memory, and leaves others served', async () => {
    const { figures, mistakes } = await proveHostile({
      main: built.main,
      directory: directory('hostile'),
      requests: 150,
      connections: 10,
      // Durations are measured by the proof, on an idle machine.
      maxWaitMs: Infinity,
      progress,
    });
    expect(mistakes).toEqual([]);
    const figure = (name: string): number => figures.find((each) => each.name === name)?.value ?? NaN;
    expect(figure('responses with 200')).toBeGreaterThan(10);
    expect(figure('responses with 403')).toBeGreaterThan(20);
    expect(figure('audit of one request, most')).toBeGreaterThan(1_000);
    expect(figure('responses to another client')).toBeGreaterThan(0);
  });
});
