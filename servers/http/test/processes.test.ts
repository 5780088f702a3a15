import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isAlive, systemProcesses } from '../src/processes.js';

it('distinguishes a process from an earlier one with the same PID', async () => {
  const processes = systemProcesses((pid, signal) => process.kill(pid, signal));
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const pid = child.pid ?? 0;
  const birth = processes.birth(pid);
  expect(birth).toMatch(/^[\da-f-]{36} \d+$/);
  expect(birth).not.toBe(processes.birth(process.pid));
  expect(isAlive({ pid, birth }, processes)).toBe(true);
  expect(isAlive({ pid, birth: `${birth}1` }, processes)).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(processes.birth(pid)).toBe('');
  expect(isAlive({ pid, birth }, processes)).toBe(false);
});
