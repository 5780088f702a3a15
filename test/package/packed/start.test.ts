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

it('serves the sample cluster with npm start, and ends with npm', async () => {
  // Only the HTTP port is chosen, as in the README: the agent must take no default port for its other listeners.
  const child = spawn('npm', ['start', '--silent', '--', '--port', '0', '--still'], {
    cwd: root,
    shell: process.platform === 'win32',
  });
  let output = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const listening = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (piece: string) => {
        output += piece;
        const [, address] = /Listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
  });
  try {
    const address = await Promise.race([listening, ended]);
    if (address === undefined) throw new Error(`npm start ended before the agent listened:\n${output}`);
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
