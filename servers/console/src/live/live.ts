import { signal, type ReadonlySignal } from '@preact/signals';
import type { ApiClient } from '../api/api-client.js';
import type { ApiFailure } from '../api/api-failure.js';
import { eventFrames, type ClusterEvent, type EventFrame } from './event-frames.js';
import { covers, followsEvent } from './topics.js';
import { pause } from './pause.js';

/**
 * How the page hears of changes. `live`: by the stream. `polling`: by blocking queries, since there is no stream. `no-leader`
 * and `unreachable`: not at the moment.
 */
export type LiveState = 'idle' | 'connecting' | 'live' | 'polling' | 'no-leader' | 'unreachable';

/** Somebody who shows something that may change. */
export interface Follower {
  /** Such as `Job`, or `Job:web` for one and what belongs to it. */
  readonly topics: readonly string[];
  /** Something has changed, or may have: then there is no event. */
  readonly wake: (event: ClusterEvent | null) => void;
  /** Asks until what is shown has changed, where there is no stream. Null when it was answered. */
  readonly wait: (signal: AbortSignal) => Promise<ApiFailure | null>;
}

/** The one stream of a page, for all that it shows. */
export interface Live {
  readonly state: ReadonlySignal<LiveState>;
  /** Follow first, and ask then: so nothing is missed between. Returns how to leave. */
  follow(follower: Follower): () => void;
  /** Begins anew, as with another token. */
  restart(): void;
}

/** Whether anybody sees the page. */
export interface Visibility {
  readonly isHidden: () => boolean;
  readonly subscribe: (changed: () => void) => void;
}

/**
 * Milliseconds that a page nobody sees keeps its stream: a browser has six connections to an agent for all of its tabs, and
 * one with seven streams would have none left to ask by.
 */
const hiddenTime = 10_000;
/** Milliseconds without a byte after which a stream counts as dead; the agent shows signs of life every ten seconds. */
const silence = 25_000;
/** Milliseconds for which blocking queries take the place of a stream that was refused, before it is asked for again. */
const pollingTime = 60_000;
/** Milliseconds before the next attempt, by the number of failures. */
const delays = [500, 1_000, 2_000, 4_000, 8_000, 15_000];
const delayAfter = (failures: number): number => delays[Math.min(failures, delays.length) - 1] ?? 0;

export function createLive(api: ApiClient, visibility: Visibility): Live {
  const state = signal<LiveState>('idle');
  const followers = new Set<Follower>();
  let running: { readonly topics: readonly string[]; readonly end: AbortController } | null = null;
  let isPlanned = false;
  /** Whether nobody has seen the page for a while. */
  let isResting = false;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  /** Up to which everything has been told; null where that is not known. */
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

  /** Reads a stream to its end; why there is none, or null where there was one. */
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
    const query = { topic: topics, namespace: '*', index: describeOutcome === null ? '' : String(describeOutcome + 1) };
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
      // What is missing comes with the next stream: it goes on where this one ended.
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
        // An agent without a leader holds the question for some seconds by itself.
        failures = failure.kind === 'no-leader' ? 1 : failures + 1;
        state.value = failure.kind;
        await pause(delayAfter(failures), signal);
      } else await poll(signal);
    }
  };

  /** Sees to it that there is one stream for the topics that are followed by now, and none where nobody follows. */
  const settle = (): void => {
    isPlanned = false;
    const topics = [...new Set([...followers].flatMap((follower) => follower.topics))].sort();
    // Blocking queries are per follower, and begin anew with a new one.
    if (running !== null && topics.length > 0 && state.value === 'live' && covers(running.topics, topics))
      return;
    running?.end.abort();
    running = null;
    // It goes on where it was: what came meanwhile is told then, or that it is not known any more.
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
