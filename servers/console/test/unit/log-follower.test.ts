import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApiClient } from '../../src/api/api-client.js';
import { followLog, type LogParams, type LogState } from '../../src/allocation/log-follower.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const params: LogParams = { allocation: 'a/b', task: 'main', type: 'stdout', isRunning: true };

/** Follows a log at an agent with a list of responses. All notifications are one list. */
function follow(results: readonly (() => Response)[], requests: LogParams = params) {
  const reported: string[] = [];
  const urls: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(url);
    const response = results[urls.length - 1];
    if (response === undefined) throw new TypeError('nobody answers');
    return response();
  });
  const end = new AbortController();
  const finished = followLog(
    createApiClient(() => ''),
    requests,
    {
      onBegin: () => reported.push('begin'),
      onText: (text) => reported.push(text),
      onState: (state: LogState) => reported.push(`(${state.kind})`),
    },
    end.signal,
  );
  return { outcome: reported, urls, end, finished };
}

/** A body that breaks off where it does not end. */
const broken = (text: string) => (): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
        queueMicrotask(() => undefined);
      },
      pull(controller) {
        controller.error(new Error('broken'));
      },
    }),
  );

it('waits for a task that has not started, and restarts after a lost connection', async () => {
  const {
    outcome: reported,
    urls,
    end,
    finished,
  } = follow([
    () => new Response('no such log', { status: 404 }),
    broken('one'),
    () => new Response('No cluster leader', { status: 500 }),
    () => new Response('two'),
  ]);
  await vi.advanceTimersByTimeAsync(10_000);
  const retained = reported.filter((each) => each !== 'one');
  expect(retained.slice(0, 7)).toEqual([
    ...['(waiting)', 'begin', '(following)', '(connecting)', '(waiting)', 'begin', '(following)'],
  ]);
  expect(reported).toContain('two');
  expect(new Set(urls)).toEqual(
    new Set([
      '/v1/client/fs/logs/a%2Fb?task=main&type=stdout&plain=true&origin=end&offset=262144&follow=true',
    ]),
  );
  end.abort();
  await vi.runAllTimersAsync();
  await finished;
});

it('ends with what has ended, and with a refusal', async () => {
  const ended = follow([() => new Response('all')], { ...params, isRunning: false });
  await ended.finished;
  expect(ended.outcome).toEqual(['begin', '(following)', 'all', '(ended)']);
  const refused = follow([() => new Response('Permission denied', { status: 403 })]);
  await refused.finished;
  expect(refused.outcome).toEqual(['(refused)']);
});

it('sends no more requests after it was closed', async () => {
  const { urls, end, finished } = follow([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(urls.length).toBeGreaterThan(5);
  end.abort();
  await finished;
  const before = urls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(urls.length).toBe(before);
});
