import { readdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultAgentConfig } from '../../../src/agent/settings/agent-config.js';
import { createAgents, type Agents } from '../../support/agents.js';
import { dataOf, framesOf, openResponse } from '../../../../scheduler-model/test/support/open-response.js';
import { runTasks, shellTask } from '../../support/task-job.js';

let agents: Agents;
let origin = '';
/** The allocation whose files stay as they are. */
let id = '';
beforeAll(async () => {
  agents = createAgents();
  const client = { ...defaultAgentConfig.client, enabled: true, rawExec: true };
  const responseHeaders = new Map([['Access-Control-Allow-Origin', '*']]);
  ({ origin } = await agents.server({ client, responseHeaders }));
  id = await runWithFiles('files');
});
afterAll(() => agents.close());

/** Runs a task that writes files, and changes them once something comes out of its pipe; the ID of its allocation. */
async function runWithFiles(job: string): Promise<string> {
  const script = [
    'printf "<script>alert(1)</script>" > local/page.html',
    'ln -s /etc/passwd local/passwd',
    'mkdir local/linked; echo twice > local/linked/one; ln local/linked/one local/linked/two',
    'mkfifo local/pipe',
    'i=0; while [ $i -lt 20000 ]; do echo "$i is a line of a file"; i=$((i+1)); done > local/long',
    'echo hidden > secrets/token',
    'echo ready',
    'read line < local/pipe; printf "$line" >> local/page.html; : > local/long; echo anew > local/long',
    'rm local/long; sleep 100',
  ].join('; ');
  const allocation = await runTasks(origin, job, [shellTask(script)]);
  const log = await openResponse(
    `${origin}/v1/client/fs/logs/${allocation}?task=main&type=stdout&follow=true`,
  );
  await log.until((text) => dataOf(text) === 'ready\n');
  log.close();
  return allocation;
}

async function read(
  word: string,
  query: string,
  allocation = id,
): Promise<readonly [status: number, type: string | null, text: string]> {
  const response = await fetch(`${origin}/v1/client/fs/${word}/${allocation}?${query}`);
  return [response.status, response.headers.get('content-type'), await response.text()];
}

const bytes = 'application/octet-stream';
const text = 'text/plain; charset=utf-8';

describe('the files of an allocation', () => {
  it.each([
    ['cat', 'path=main/local/page.html', [200, bytes, '<script>alert(1)</script>']],
    ['cat', 'path=/main/local/page.html', [200, bytes, '<script>alert(1)</script>']],
    ['readat', 'path=main/local/page.html&offset=8&limit=5', [200, bytes, 'alert']],
    ['readat', 'path=main/local/page.html&offset=99', [200, bytes, '']],
    [
      'cat',
      'path=main/local/passwd',
      [403, text, '"main/local/passwd" is a link, and links are not followed'],
    ],
    [
      'cat',
      'path=main/local/linked/two',
      [
        403,
        text,
        '"main/local/linked/two" is a file with another name (a hard link), and links are not followed',
      ],
    ],
    ['cat', 'path=main/local/pipe', [400, text, 'file "main/local/pipe" is no regular file']],
    ['cat', 'path=main/secrets/token', [403, text, 'Reading secret file prohibited: main/secrets/token']],
    ['ls', 'path=main/secrets', [403, text, 'Reading secret file prohibited: main/secrets']],
    ['stream', 'path=main/secrets/token', [403, text, 'Reading secret file prohibited: main/secrets/token']],
    ['cat', 'path=main/none', [404, text, 'There is no file "main/none" in this allocation']],
    ['cat', '', [400, text, 'must provide a file path']],
    ['stat', '', [400, text, 'must provide a file path']],
    ['stream', 'path=main&origin=middle', [400, text, 'origin must be start or end']],
    ['stream', 'path=main', [400, text, 'file "main" is a directory']],
    [
      'readat',
      'path=x&offset=abc',
      [400, text, 'error parsing offset: expected a whole number that is not negative, found "abc"'],
    ],
    [
      'cat',
      'path=../../../../etc/passwd',
      [400, text, 'The path "../../../../etc/passwd" has "..": Path escapes the alloc directory'],
    ],
    [
      'cat',
      'path=..%2f..%2fetc%2fpasswd',
      [400, text, 'The path "../../etc/passwd" has "..": Path escapes the alloc directory'],
    ],
    [
      'cat',
      'path=%252e%252e/etc/passwd',
      [404, text, 'There is no file "%2e%2e/etc/passwd" in this allocation'],
    ],
    ['cat', 'path=main%00', [400, text, 'The path "main\\u0000" has a zero byte']],
    [
      'cat',
      'path=/proc/self/environ',
      [404, text, 'There is no file "proc/self/environ" in this allocation'],
    ],
  ] as const)('%s %s', async (word, query, expected) => {
    expect(await read(word, query)).toEqual(expected);
  });

  it('are listed and described', async () => {
    const [, type, list] = await read('ls', '');
    expect(type).toBe('application/json');
    expect((JSON.parse(list) as { Name: string }[]).map(({ Name }) => Name)).toEqual(['alloc', 'main']);
    const [, , local] = await read('ls', 'path=main/local');
    expect(JSON.parse(local)).toMatchObject([
      { Name: 'linked', IsDir: true },
      { Name: 'long', IsDir: false, FileMode: '-rw-r--r--' },
      { Name: 'page.html', Size: 25 },
      { Name: 'passwd', FileMode: 'Lrwxrwxrwx' },
      { Name: 'pipe', FileMode: 'prw-r--r--' },
    ]);
    const [, , stat] = await read('stat', 'path=main/local/page.html');
    expect(JSON.parse(stat)).toMatchObject({ Name: 'page.html', IsDir: false, Size: 25 });
  });

  it('are no pages, and for no other site', async () => {
    for (const query of ['cat', 'readat', 'stream']) {
      const response = await openResponse(`${origin}/v1/client/fs/${query}/${id}?path=main/local/page.html`);
      expect(response.headers).toMatchObject({
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      response.close();
    }
    const elsewhere = await fetch(`${origin}/v1/agent/health`);
    expect(elsewhere.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('are read by many, and by those who take long', async () => {
    const [, , whole] = await read('cat', 'path=main/local/long');
    expect(whole.split('\n')).toHaveLength(20_001);
    const slow = await openResponse(`${origin}/v1/client/fs/cat/${id}?path=main/local/long`);
    slow.pause();
    const all = await Promise.all(Array.from({ length: 20 }, () => read('cat', 'path=main/local/long')));
    expect(all.every(([, , one]) => one === whole)).toBe(true);
    slow.resume();
    await slow.until((read_) => read_.length === whole.length);
    expect(slow.text()).toBe(whole);
    // Compressed on request of the client.
    const packed = await fetch(`${origin}/v1/client/fs/cat/${id}?path=main/local/long`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect([packed.headers.get('content-encoding'), await packed.text()]).toEqual(['gzip', whole]);
  });

  it('are streamed as they grow, restart and end', async () => {
    const allocation = await runWithFiles('growing');
    const stream = (query: string): ReturnType<typeof openResponse> =>
      openResponse(`${origin}/v1/client/fs/stream/${allocation}?${query}`);
    const page = await stream('path=main/local/page.html&offset=20');
    const ending = await stream('path=main/local/page.html&follow=false&plain=true');
    await ending.until(() => ending.isDone() === 'whole');
    expect(ending.text()).toBe('<script>alert(1)</script>');
    const long = await stream('path=main/local/long&origin=end&offset=5');
    await long.until((come) => dataOf(come) === 'file\n');
    const [, , whole] = await read('cat', 'path=main/local/long', allocation);
    // The pipe is the task's: what is written into it lets the task go on.
    await writeFile(`${await directoryOf(allocation)}/main/local/pipe`, 'more\n');
    await page.until((come) => dataOf(come).endsWith('more'));
    expect(framesOf(page.text())[0]).toMatchObject({ Offset: 20, File: 'main/local/page.html' });
    await long.until((come) => come.includes('file deleted'));
    expect(framesOf(long.text()).filter(({ File }) => File !== undefined)).toMatchObject([
      { Offset: whole.length - 5 },
      { Data: Buffer.from('anew\n').toString('base64'), FileEvent: 'file truncated' },
      { FileEvent: 'file deleted' },
    ]);
    await long.until(() => long.isDone() === 'whole');
    page.close();
  });
});

/** The directory of the allocation, as its task knows it. */
async function directoryOf(allocation: string): Promise<string> {
  for (const name of await readdir('/tmp')) {
    if (!name.startsWith('scheduler-allocations-')) continue;
    const ids = await readdir(`/tmp/${name}`).catch((): string[] => []);
    if (ids.includes(allocation)) return `/tmp/${name}/${allocation}`;
  }
  throw new Error('no directory');
}
