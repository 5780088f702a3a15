import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTool } from '../../../../test/support/tool.js';
import { startDemo, type Demo } from '../../demo/demo.js';
import { createMemoryLogger } from '../support/secrets-server.js';

const execute = promisify(execFile);
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ serverPort: 0, cloudPort: 0, logger: createMemoryLogger() });
});
afterAll(() => demo.close());

const curl = findTool('curl');

describe('the demo', () => {
  // The walk is for people with a shell: without curl there is nothing that it could be run with.
  it.skipIf(curl.isMissing)(`runs as it is printed${curl.why}`, async () => {
    const mark = '== next ==';
    const script = demo.steps.map(({ command }) => `${command}\necho '${mark}'`).join('\n');
    const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', script]);
    const responses = stdout.split(mark).map((response) => response.trim());
    const [config, role, read, list, jwt, login, self, other, rotated, fresh] = responses;
    expect([config, role, jwt, login, rotated]).toEqual(['', '', '', '', '']);
    expect(JSON.parse(read!)).toMatchObject({ data: { token_policies: ['dev'], token_ttl: 3_600 } });
    expect(JSON.parse(list!)).toMatchObject({ data: { keys: ['dev'] } });
    expect(JSON.parse(self!)).toMatchObject({
      data: {
        path: 'auth/cloud/login',
        policies: ['default', 'dev'],
        orphan: true,
        meta: { role: 'dev', resource_group_name: 'rg1', vm_name: 'vm1' },
      },
    });
    expect(JSON.parse(other!)).toEqual({ errors: ['permission denied'] });
    expect(JSON.parse(fresh!)).toMatchObject({ data: { max_retries: 3, retry_delay: '4s' } });
    expect(fresh).not.toContain('client_secret');
  });
});
