import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultAgentConfig } from '../../../src/agent/settings/agent-config.js';
import { createAgents, type Agents } from '../../support/agents.js';
import { dataOf, framesOf, openResponse } from '../../../../scheduler-model/test/support/open-response.js';
import { runTasks, shellTask } from '../../support/task-job.js';

const forEver = 'while :; do sleep 0.1; done';

let agents: Agents;
let origin = '';
let talker = '';
beforeAll(async () => {
  agents = createAgents();
  const client = { ...defaultAgentConfig.client, enabled: true, rawExec: true };
  ({ origin } = await agents.server({ client }));
  talker = await runTasks(origin, 'talker', [
    shellTask(`echo one; echo two; echo three; echo oops >&2; ${forEver}`),
    shellTask(forEver, { Name: 'silent' }),
  ]);
  await (
    await openLog(talker, 'task=main&type=stdout&follow=true&plain=true')
  ).until((text) => text.includes('three'));
});
afterAll(() => agents.close());

const openLog = (id: string, query: string): ReturnType<typeof openResponse> =>
  openResponse(`${origin}/v1/client/fs/logs/${id}?${query}`);

/** The whole of a response that ends by itself. */
async function read(id: string, query: string): Promise<readonly [status: number, text: string]> {
  const response = await fetch(`${origin}/v1/client/fs/logs/${id}?${query}`);
  return [response.status, await response.text()];
}

describe('the log of a task', () => {
  it.each([
    ['', 'one\ntwo\nthree\n'],
    ['&offset=4', 'two\nthree\n'],
    ['&origin=start&offset=99', ''],
    ['&origin=end&offset=6', 'three\n'],
    ['&origin=end', ''],
    ['&origin=end&offset=99', 'one\ntwo\nthree\n'],
    ['&offset=4&limit=3', 'two'],
  ])('is read from a place%s', async (place, expected) => {
    const query = `task=main&type=stdout${place}`;
    expect(await read(talker, `${query}&plain=true`)).toEqual([200, expected]);
    const [status, text] = await read(talker, query);
    expect([status, dataOf(text)]).toEqual([200, expected]);
  });

  it('names its origin in its frames', async () => {
    const [, text] = await read(talker, 'task=main&type=stdout&offset=4');
    expect(framesOf(text)).toEqual([
      { Offset: 4, Data: Buffer.from('two\nthree\n').toString('base64'), File: 'alloc/logs/main.stdout.0' },
    ]);
    expect(await read(talker, 'task=main&type=stderr&plain=1')).toEqual([200, 'oops\n']);
    expect(await read(talker, 'task=silent&type=stdout')).toEqual([200, '']);
  });

  it('is data and no page', async () => {
    for (const query of ['', '&follow=true', '&plain=true', '&follow=true&plain=true']) {
      const response = await openLog(talker, `task=main&type=stdout${query}`);
      expect(response.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'no-store',
      });
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      response.close();
    }
  });

  it.each([
    ['type=stdout', 400, 'must provide task name'],
    ['task=main', 400, 'must provide log type (stdout/stderr)'],
    ['task=main&type=stdin', 400, 'must provide log type (stdout/stderr)'],
    ['task=main&type=stdout&origin=middle', 400, 'origin must be start or end'],
    [
      'task=main&type=stdout&offset=-1',
      400,
      'error parsing offset: expected a whole number that is not negative, found "-1"',
    ],
    [
      'task=main&type=stdout&follow=perhaps',
      400,
      'failed to parse follow field to boolean: expected true or false, found "perhaps"',
    ],
    ['task=mian&type=stdout', 400, 'unknown task name "mian", there is "main", "silent"'],
    ['task=__proto__&type=stdout', 400, 'unknown task name "__proto__", there is "main", "silent"'],
  ])('refuses %s', async (query, status, text) => {
    expect(await read(talker, query)).toEqual([status, text]);
  });

  it('is not there of what is not there', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    for (const id of [nobody, talker.slice(0, 8), `${talker}/..`, `${talker}\0`]) {
      expect(await read(encodeURIComponent(id), 'task=main&type=stdout')).toEqual([404, 'alloc not found']);
    }
  });

  it('says of a task that has not begun that it has not', async () => {
    const id = await runTasks(origin, 'waiter', [
      shellTask(forEver, { Name: 'first', Lifecycle: { Hook: 'prestart' } }),
      shellTask(forEver),
    ]);
    for (const follow of ['', '&follow=true']) {
      const expected = [404, 'task "main" not started yet. No logs available'];
      expect(await read(id, `task=main&type=stdout${follow}`)).toEqual(expected);
    }
  });

  it('stays when the task is over', async () => {
    const id = await runTasks(origin, 'short', [shellTask('echo done')], {
      Type: 'batch',
      status: 'complete',
    });
    expect(await read(id, 'task=main&type=stdout&plain=true')).toEqual([200, 'done\n']);
  });
});

describe('following a log', () => {
  it('comes to its end when the task is over, and when it was over before', async () => {
    const id = await runTasks(origin, 'ending', [shellTask('echo begun; sleep 1; echo ended')], {
      Type: 'batch',
    });
    const query = 'task=main&type=stdout&follow=true';
    const [framed, plain] = await Promise.all([read(id, query), read(id, `${query}&plain=true`)]);
    expect([framed[0], dataOf(framed[1]), plain]).toEqual([200, 'begun\nended\n', [200, 'begun\nended\n']]);
    const [status, text] = await read(id, query);
    expect([status, dataOf(text), text.includes('{}')]).toEqual([200, 'begun\nended\n', false]);
    expect(await read(id, `${query}&plain=true`)).toEqual([200, 'begun\nended\n']);
  });

  it('goes on with what is written later, from each place', async () => {
    const id = await runTasks(origin, 'counter', [
      shellTask('i=0; while [ $i -lt 30 ]; do echo line $i; i=$((i+1)); sleep 0.05; done; sleep 100'),
    ]);
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('');
    const plain = await Promise.all(
      Array.from({ length: 5 }, () => openLog(id, 'task=main&type=stdout&follow=true&plain=true')),
    );
    const framed = await openLog(id, 'task=main&type=stdout&follow=true&offset=7');
    await Promise.all(plain.map((one) => one.until((text) => text.length >= lines.length)));
    await framed.until((text) => dataOf(text).endsWith('line 29\n'));
    expect(plain.map((one) => one.text())).toEqual(plain.map(() => lines));
    expect(dataOf(framed.text())).toBe(lines.slice(7));
    // Each frame goes on where the one before has ended.
    let at = 7;
    for (const { Data = '', Offset = 0, File } of framesOf(framed.text())) {
      if (File === undefined) continue;
      expect(Offset).toBe(at);
      at += Buffer.from(Data, 'base64').length;
    }
    await framed.until((text) => text.endsWith('{}{}'));
    for (const one of [...plain, framed]) one.close();
  });

  it('reads the files of a log as one, and says where some are gone', async () => {
    const lines = 60_000;
    const id = await runTasks(origin, 'rotator', [
      shellTask(
        `i=0; while [ $i -lt ${lines} ]; do echo "$i ${'x'.repeat(90)}"; i=$((i+1)); done; ${forEver}`,
        { LogConfig: { MaxFiles: 10, MaxFileSizeMB: 1 } },
      ),
    ]);
    const followed = await openLog(id, 'task=main&type=stdout&follow=true');
    await followed.until((text) => text.slice(-400_000).includes('stdout.5'));
    const [, whole] = await read(id, 'task=main&type=stdout&plain=true');
    await followed.until(() => dataOf(followed.text()).length >= whole.length);
    expect(dataOf(followed.text()).startsWith(whole.slice(0, 100_000))).toBe(true);
    const files = new Set(
      framesOf(followed.text()).flatMap(({ File }) => (File === undefined ? [] : [File])),
    );
    expect(files.size).toBeGreaterThanOrEqual(6);
    followed.close();
  });
});
