import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTaskOutput } from '@tamis/scheduler-node/task-output.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'task-output-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** One start of a task that writes some chunks, each of which fills a file. */
async function run(...chunks: readonly string[]): Promise<void> {
  const output = openTaskOutput({ directory, name: 't', maxFiles: 3, maxFileBytes: 4 }, 'stdout');
  for (const chunk of chunks) output.write(chunk);
  output.end();
  await finished(output);
}

const retained = async (): Promise<string[]> => (await readdir(directory)).sort();
const textOf = (number: number): Promise<string> => readFile(join(directory, `t.stdout.${number}`), 'utf8');

describe('the output of a task', () => {
  it('continues after the output of an earlier start', async () => {
    await run('a');
    await run('b');
    expect(await retained()).toEqual(['t.stdout.0']);
    expect(await textOf(0)).toBe('ab');
  });

  it('is kept in as many files however often the task starts', async () => {
    for (const count of [2, 9, 1, 5]) await run(...Array<string>(count).fill('full'));
    expect(await retained()).toEqual(['t.stdout.15', 't.stdout.16', 't.stdout.17']);
    expect([await textOf(15), await textOf(16), await textOf(17)]).toEqual(['full', 'full', '']);
  });

  it('has nothing to do with files of other names', async () => {
    const others = ['t.stderr.7', 't.stdout.x', 't.stdout.1e9', 't.stdout.stdout.8', 'u.stdout.9'];
    for (const name of others) await writeFile(join(directory, name), '');
    await run('a');
    expect(await retained()).toEqual([...others, 't.stdout.0'].sort());
  });

  it('fails if the directory is missing, and reports it to the writer', async () => {
    await rm(directory, { recursive: true });
    await expect(run('a')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
