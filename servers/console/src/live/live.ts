import { signal, type ReadonlySignal } from '@preact/signals';
import type { ApiClient } from '../api/api-client.js';
import type { ApiFailure } from '../api/api-failure.js';
import { eventFrames, type ClusterEvent, type EventFrame } from './event-frames.js';
import { covers, followsEvent } from './topics.js';
import { pause } from './pause.js';

/**
 * How the page receives changes. `live`: by the stream. `polling`: by blocking queries, because there is no stream. `no-leader`
 * and `unreachable`: not at the moment.
 */
export type LiveState = 'idle' | 'connecting' | 'live' | 'polling' | 'no-leader' | 'unreachable';

/** A subscriber that shows changing data. */
export interface Follower {
  /** Topics such as `Job`, or `Job:web` for one job and its objects. */
  readonly topics: readonly string[];
  /** Called after a change, or without an event if there may have been one. */
  readonly wake: (event: ClusterEvent | null) => void;
  /** Waits with blocking queries until the shown data has changed, if there is no stream. Null on success. */
  readonly wait: (signal: AbortSignal) => Promise<ApiFailure | null>;
}

/** The single event stream of a page, shared by everything it shows. */
export interface Live {
  readonly state: ReadonlySignal<LiveState>;
  /** Follow first, then fetch, so that nothing is missed in between. Returns a function to stop. */
  follow(follower: Follower): () => void;
  /** Restarts, for example with a different token. */
  restart(): void;
}

/** Whether the page is visible. */
export interface Visibility {
  readonly isHidden: () => boolean;
  readonly subscribe: (changed: () => void) => void;
}

/**
 * Time for which a hidden page keeps its stream, in ms. A browser has six connections to an agent for all tabs, and six streams
 * would block all other requests.
 */
const hiddenTime = 10_000;
/** Time without data after which a stream counts as dead, in ms. The agent sends a heartbeat every ten seconds. */
const silence = 25_000;
/** Time for which blocking queries replace a rejected stream before the next attempt, in ms. */
const pollingTime = 60_000;
/** Delay before the next attempt, in ms, by the number of failures. */
const delays = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
const delayAfter = (failures: number): number => delays[Math.min(failures, delays.length) - 1] ?? 0;

export function createLive(api: ApiClient, visibility: Visibility): Live {
  const state = signal<LiveState>('idle');
  const followers = new Set<Follower>();
  let running: { readonly topics: readonly string[]; readonly end: AbortController } | null = null;
  let isPlanned = false;
  /** Whether the page has been hidden for a while. */
  let isResting = false;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  /** The index up to which everything has been received; null if unknown. */
  let describeOutcome: number | null = null;

  const wakeAll = (): void => {
    for (const follower of followers) follower.wake(null);
  };
  const handleFrame = ({ Index, Events = [], Gap }: EventFrame): void => {
    if (describeOutcome === null || Gap !== undefined) wakeAll();
    for (const event of Events) {
      for (const follower of followers) if (followsEvent(follower.topics, event)) follower.wake(event);
    }
    if (Index !== undefined) describeOutcome = Index;
  };

  /** Reads a stream to its end; returns the failure if there is no stream, else null. */
  const stream = async (topics: readonly string[], signal: AbortSignal): Promise<ApiFailure | null> => {
    const own = new AbortController();
    const until = AbortSignal.any([signal, own.signal]);
    let alarm: ReturnType<typeof setTimeout> | undefined;
    const hear = (): void => {
      clearTimeout(alarm);
      alarm = setTimeout(() => {
        own.abort();
      }, silence);
    };
    hear();
    const query = {
      topic: topics,
      namespace: '*',
      index: describeOutcome === null ? '' : String(describeOutcome + 1),
    };
    const opened = await api.open('/v1/event/stream', { query, signal: until });
    if (!opened.ok) {
      clearTimeout(alarm);
      return opened.failure;
    }
    try {
      for await (const frame of eventFrames(opened.value.body ?? new ReadableStream(), hear)) {
        if (signal.aborted) return null;
        state.value = 'live';
        handleFrame(frame);
      }
    } catch {
      // Missing events arrive with the next stream, which continues where this one ended.
    } finally {
      clearTimeout(alarm);
      own.abort();
    }
    return null;
  };

  const poll = async (signal: AbortSignal): Promise<void> => {
    state.value = 'polling';
    describeOutcome = null;
    const enough = new AbortController();
    const timer = setTimeout(() => {
      enough.abort();
    }, pollingTime);
    const over = AbortSignal.any([signal, enough.signal]);
    const waitOn = async (follower: Follower): Promise<void> => {
      for (let failures = 0; !over.aborted;) {
        const failure = await follower.wait(over);
        failures = failure === null ? 0 : failures + 1;
        await pause(failure === null ? 1_000 : delayAfter(failures), over);
      }
    };
    await Promise.all([...followers].map(waitOn));
    clearTimeout(timer);
  };

  const run = async (topics: readonly string[], signal: AbortSignal): Promise<void> => {
    state.value = 'connecting';
    for (let failures = 0; !signal.aborted;) {
      const failure = await stream(topics, signal);
      if (signal.aborted) return;
      if (failure === null) {
        failures = 0;
        state.value = 'connecting';
        await pause(delayAfter(1), signal);
      } else if (failure.kind === 'no-leader' || failure.kind === 'unreachable') {
        // An agent without a leader delays the request by some seconds itself.
        failures = failure.kind === 'no-leader' ? 1 : failures + 1;
        state.value = failure.kind;
        await pause(delayAfter(failures), signal);
      } else await poll(signal);
    }
  };

  /** Ensures that there is one stream for the followed topics, and no stream without followers. */
  const settle = (): void => {
    isPlanned = false;
    const topics = [...new Set([...followers].flatMap((follower) => follower.topics))].sort();
    // Blocking queries are per follower, and restart with a new one.
    if (running !== null && topics.length > 0 && state.value === 'live' && covers(running.topics, topics))
      return;
    running?.end.abort();
    running = null;
    // It resumes at the same position: missed events are sent then, or a notice that they are lost.
    if (isResting) return;
    if (topics.length === 0) {
      state.value = 'idle';
      describeOutcome = null;
      return;
    }
    running = { topics, end: new AbortController() };
    void run(topics, running.end.signal);
  };
  const plan = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    queueMicrotask(settle);
  };

  visibility.subscribe(() => {
    clearTimeout(restTimer);
    const rest = (isRequested: boolean): void => {
      if (isResting === isRequested) return;
      isResting = isRequested;
      if (isRequested) state.value = 'idle';
      plan();
    };
    if (!visibility.isHidden()) rest(false);
    else
      restTimer = setTimeout(() => {
        rest(true);
      }, hiddenTime);
  });

  return {
    state,
    follow(follower) {
      followers.add(follower);
      plan();
      return () => {
        followers.delete(follower);
        plan();
      };
    },
    restart() {
      running?.end.abort();
      running = null;
      describeOutcome = null;
      plan();
    },
  };
}
