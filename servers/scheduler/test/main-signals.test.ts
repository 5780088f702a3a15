import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { buildAgent } from '../stress/build-agent.js';

const spy = fileURLToPath(new URL('../../../test/support/first-signal.cjs', import.meta.url));

it('the program takes the signal of the debugger before it loads anything', async () => {
  const { main, remove } = await buildAgent();
  try {
    const { stderr } = await promisify(execFile)(process.execPath, ['--require', spy, main, 'version']);
    expect(stderr).toBe('loaded before: 0\n');
  } finally {
    remove();
  }
});
