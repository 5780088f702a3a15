import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

async function isUp(address: string): Promise<boolean> {
  return fetch(`${address}/v1/status/leader`).then(
    (response) => response.ok,
    () => false,
  );
}

it('npm start serves the sample cluster, and ends with npm', async () => {
  const child = spawn('npm', ['start', '--silent', '--', '--port', '0'], {
    cwd: root,
    shell: process.platform === 'win32',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const address = await vi.waitUntil(() => /Listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1], {
      timeout: 120_000,
    });
    const query = new URLSearchParams({ filter: 'Status == running', per_page: '2', namespace: '*' });
    const jobs = (await (await fetch(`${address}/v1/jobs?${query}`)).json()) as { Status: string }[];
    expect(jobs.map((job) => job.Status)).toEqual(['running', 'running']);
    child.kill('SIGTERM');
    await ended;
    await vi.waitUntil(async () => !(await isUp(address)), { timeout: 120_000, interval: 50 });
  } finally {
    child.kill('SIGTERM');
  }
});
