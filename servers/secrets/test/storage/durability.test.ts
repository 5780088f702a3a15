import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openLmdbStorage } from '../../src/storage/lmdb.js';

const writer = fileURLToPath(new URL('../support/endless-writer.ts', import.meta.url));

it('holds every write that was acknowledged before the process was killed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'secrets-kill-'));
  const child = spawn(process.execPath, ['--import', 'tsx', writer, directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.split('\n').length > 200) child.kill('SIGKILL');
    });
    child.once('close', () => resolve());
  });
  const acknowledged = said.split('\n').slice(0, -1);
  expect(acknowledged.length).toBeGreaterThanOrEqual(200);
  const storage = await openLmdbStorage(directory);
  const pairs = await storage.list('pair/');
  for (const name of acknowledged) {
    expect(await storage.get(`entry/${name}`)).not.toBeNull();
    // The two halves of one write are there together.
    expect(pairs).toContain(`pair/${name}`);
  }
  await storage.close();
  await rm(directory, { recursive: true });
});
