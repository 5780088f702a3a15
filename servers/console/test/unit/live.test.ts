import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiClient, RequestOptions, Result } from '../../src/api/api-client.js';
import type { ApiFailure } from '../../src/api/api-failure.js';
import { createLive, type Follower, type Visibility } from '../../src/live/live.js';

/** A stream that a test writes. */
interface Stream {
  readonly topics: unknown;
  readonly index: unknown;
  write(frame: object): void;
  end(): void;
}

interface Agent {
  readonly api: ApiClient;
  readonly streams: Stream[];
  /** What the next streams are refused with. */
  refusals: ApiFailure[];
}

function createAgent(): Agent {
  const agent: Agent = { streams: [], refusals: [], api: {} as ApiClient };
  const open = (_path: string, { query = {}, signal }: RequestOptions = {}): Promise<Result<Response>> => {
    const failure = agent.refusals.shift();
    if (failure !== undefined) return Promise.resolve({ ok: false, failure });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        signal?.addEventListener('abort', () => {
          controller.error(signal.reason);
        });
        agent.streams.push({
          topics: query['topic'],
          index: query['index'],
          write: (frame) => {
            controller.enqueue(new TextEncoder().encode(`${JSON.stringify(frame)}\n`));
          },
          end: () => {
            controller.close();
          },
        });
      },
    });
    return Promise.resolve({ ok: true, value: new Response(body), index: null, nextToken: null });
  };
  return Object.assign(agent, { api: { open } as unknown as ApiClient });
}

function followerOf(...topics: string[]) {
  const woken: (string | null)[] = [];
  const wait = vi.fn<Follower['wait']>(
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
  );
  const follower: Follower = { topics, wake: (event) => woken.push(event?.Key ?? null), wait };
  return { ...follower, follower, woken, wait };
}

/** A page that is seen all the time. */
const seen: Visibility = { isHidden: () => false, subscribe: () => undefined };

const event = (Topic: string, Key: string) => ({ Topic, Key, FilterKeys: [] });
/** Lets what is under way go on, and so much time pass. */
const pass = (milliseconds = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds);

describe('the stream of a page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is one for all who follow, who are woken by what concerns them', async () => {
    const { api, streams } = createAgent();
    const live = createLive(api, seen);
    const [jobs, web] = [followerOf('Job'), followerOf('Allocation:a1')];
    live.follow(jobs.follower);
    live.follow(web.follower);
    await pass();
    expect(streams.map(({ topics, index }) => [topics, index])).toEqual([[['Allocation:a1', 'Job'], '']]);
    streams[0]!.write({ Index: 5, Events: [] });
    await pass();
    expect(live.state.value).toBe('live');
    // Changes between a response and the stream are read again.
    expect([jobs.woken, web.woken]).toEqual([[null], [null]]);
    streams[0]!.write({ Index: 6, Events: [event('Job', 'x'), event('Allocation', 'a1')] });
    await pass();
    expect([jobs.woken, web.woken]).toEqual([
      [null, 'x'],
      [null, 'a1'],
    ]);
  });

  it('resumes where it ended, and fetches again what it missed', async () => {
    const { api, streams } = createAgent();
    const jobs = followerOf('Job');
    createLive(api, seen).follow(jobs.follower);
    await pass();
    streams[0]!.write({ Index: 5, Events: [] });
    await pass();
    streams[0]!.end();
    await pass(1_000);
    expect(streams[1]?.index).toBe('6');
    streams[1]!.write({ Index: 9, Events: [], Gap: { Message: 'gone' } });
    await pass();
    expect(jobs.woken).toEqual([null, null]);
  });

  it('counts as dead when it says nothing', async () => {
    const { api, streams } = createAgent();
    createLive(api, seen).follow(followerOf('Job').follower);
    await pass();
    for (let signs = 0; signs < 4; signs += 1) {
      streams[0]!.write({});
      await pass(10_000);
    }
    expect(streams).toHaveLength(1);
    await pass(26_000);
    expect(streams).toHaveLength(2);
  });

  it('is reopened only for topics that it lacks, and closes with the last subscriber', async () => {
    const { api, streams } = createAgent();
    const live = createLive(api, seen);
    const leaveJobs = live.follow(followerOf('Job').follower);
    await pass();
    streams[0]!.write({ Index: 1, Events: [] });
    await pass();
    const leaveWeb = live.follow(followerOf('Job:web').follower);
    await pass();
    expect(streams).toHaveLength(1);
    const leaveNodes = live.follow(followerOf('Node').follower);
    await pass();
    expect(streams).toHaveLength(2);
    expect(streams[1]?.index).toBe('2');
    for (const leave of [leaveJobs, leaveWeb, leaveNodes]) leave();
    await pass();
    expect(live.state.value).toBe('idle');
    await pass(60_000);
    expect(streams).toHaveLength(2);
  });

  it('pauses while the page is hidden, and resumes at the same index', async () => {
    const { api, streams } = createAgent();
    let isHidden = false;
    let change = (): void => undefined;
    const live = createLive(api, {
      isHidden: () => isHidden,
      subscribe: (changed) => {
        change = changed;
      },
    });
    const render = (hidden: boolean): void => {
      isHidden = hidden;
      change();
    };
    live.follow(followerOf('Job').follower);
    await pass();
    streams[0]!.write({ Index: 7, Events: [] });
    await pass();
    // A glance at another tab does not count.
    render(true);
    await pass(5_000);
    render(false);
    await pass(15_000);
    expect([live.state.value, streams.length]).toEqual(['live', 1]);
    streams[0]!.write({});
    await pass();
    render(true);
    await pass(60_000);
    expect([live.state.value, streams.length]).toEqual(['idle', 1]);
    live.follow(followerOf('Node').follower);
    await pass(60_000);
    expect(streams).toHaveLength(1);
    render(false);
    await pass();
    expect(streams.map(({ index }) => index)).toEqual(['', '8']);
  });

  it('falls back to blocking queries if it is refused, and is requested again', async () => {
    const agent = createAgent();
    agent.refusals = [{ kind: 'denied', status: 403, message: 'Permission denied' }];
    const live = createLive(agent.api, seen);
    const jobs = followerOf('Job');
    live.follow(jobs.follower);
    await pass();
    expect([live.state.value, jobs.wait.mock.calls.length]).toEqual(['polling', 1]);
    await pass(61_000);
    expect(agent.streams).toHaveLength(1);
  });

  it('says that there is no leader, or no agent, and tries again', async () => {
    const agent = createAgent();
    agent.refusals = [
      { kind: 'no-leader', status: 500, message: 'No cluster leader' },
      { kind: 'unreachable', status: 0, message: '' },
    ];
    const live = createLive(agent.api, seen);
    live.follow(followerOf('Job').follower);
    await pass();
    expect(live.state.value).toBe('no-leader');
    await pass(600);
    expect(live.state.value).toBe('unreachable');
    await pass(3_000);
    agent.streams[0]!.write({ Index: 1, Events: [] });
    await pass();
    expect(live.state.value).toBe('live');
  });
});
