import { sleep } from '@tamis/http';
import { setMaxListeners } from 'node:events';
import { monotonicClock, type Clock } from '../clock.js';
import { EtcdError, isUnavailable } from '../errors.js';
import type { Method } from '../protocol/methods.js';
import { createGrpcDialer } from './grpc-channel.js';
import { readPassword } from './password.js';
import { createSession, defaultTimeout, type Session } from './session.js';
import { readEndpoints, type Endpoint, type EtcdSettings } from './settings.js';
import type { CallOptions, Channel, StreamOptions, Transport } from './transport.js';

/** Interval between checks of the member in use, in ms. */
const lookInterval = 500;
/** Timeout after which a member counts as frozen or unreachable, in ms. */
const timeoutMs = 1_000;
/** Maximum delay of a timer, in ms. If it is exceeded, this process counts as having been suspended. */
const ownStall = 250;
/** Delay before a repeatable call is retried, in ms. */
const repeatDelay = 50;
/**
 * Minimum timeout of one attempt of a repeatable call, in ms. An attempt gets half of the remaining time, because a live member
 * may have forwarded the call to a leader that has just died and never get a response.
 */
const minAttemptMs = 500;

export interface ConnectionDependencies {
  readonly clock?: Clock;
  /** Returns a random number in [0, 1). Used to distribute clients over the members. */
  readonly random?: () => number;
  readonly dial?: (endpoint: Endpoint) => Channel;
}

/**
 * A connection to an etcd cluster. Calls go to one member. If that member is gone, frozen or cut off from its leader, they go to
 * another one. Calls sent to the abandoned member end with `unknown`, unless they are repeatable.
 */
export interface Connection extends Transport {
  /** The member in use. */
  endpoint(): Endpoint | undefined;
  /** Calls every member on a separate channel, and returns the results in the order of the settings. */
  each<T>(send: (member: Transport, url: string) => Promise<T>): Promise<readonly T[]>;
  close(): void;
}

/** A member that has responded. */
interface Candidate {
  readonly session: Session;
  readonly hasLeader: boolean;
}

/** @throws EtcdError `configuration` */
export function connect(settings: EtcdSettings, dependencies: ConnectionDependencies = {}): Connection {
  const endpoints = readEndpoints(settings);
  const { clock = monotonicClock, random = Math.random } = dependencies;
  const dial = dependencies.dial ?? createGrpcDialer(settings.tls);
  // The password is read again for each token. It is also read here, so that an invalid file is an error of the configuration.
  if (settings.user !== undefined) readPassword(settings.user);
  const closing = new AbortController();
  // Each call that waits adds a listener.
  setMaxListeners(0, closing.signal);
  let session: Session | undefined;
  let search: Promise<void> | undefined;
  /** Reasons why members could not be reached, one per member. */
  let reasons: readonly string[] = [];

  async function probe(endpoint: Endpoint): Promise<Candidate> {
    const opened = createSession(endpoint, dial(endpoint), settings.user);
    try {
      return { session: opened, hasLeader: (await opened.probe(timeoutMs)).hasLeader };
    } catch (error) {
      opened.close();
      throw new Error(`${endpoint.url}: ${(error as Error).message.replace(/^etcd: /, '')}`, {
        cause: error,
      });
    }
  }

  /**
   * Calls all members at the same time. Returns the first one that responds and has a leader; if none has, the first that
   * responds.
   */
  async function choose(): Promise<Candidate | undefined> {
    const reachable: Candidate[] = [];
    const probes = shuffled(endpoints, random).map(async (endpoint) => {
      const candidate = await probe(endpoint);
      reachable.push(candidate);
      if (!candidate.hasLeader) throw new Error(`${endpoint.url}: no leader`);
      return candidate;
    });
    const chosen = await Promise.any(probes).catch((failures: AggregateError) => {
      reasons = failures.errors.map((failure: Error) => failure.message);
      return reachable[0];
    });
    void Promise.allSettled(probes).then(() => {
      for (const candidate of reachable) if (candidate !== chosen) candidate.session.close();
    });
    return chosen;
  }

  /** Searches for a usable member. There is one search at a time, which concurrent callers share. */
  function find(isEligible: (candidate: Candidate) => boolean = () => true): Promise<void> {
    search ??= choose()
      .then((chosen) => {
        if (chosen === undefined) return;
        if (closing.signal.aborted || !isEligible(chosen)) return chosen.session.close();
        const left = session;
        session = chosen.session;
        left?.close();
        void watchOver(chosen.session);
      })
      .finally(() => (search = undefined));
    return search;
  }

  /** Checks the member in use until it is replaced. */
  async function watchOver(own: Session): Promise<void> {
    while (session === own && !closing.signal.aborted) {
      await sleep(clock, lookInterval, closing.signal);
      if (session === own && !closing.signal.aborted) await look(own);
    }
  }

  /**
   * Checks the member in use. It is replaced only by a member that responds; if it responds itself, only by one with a leader.
   */
  async function look(own: Session): Promise<void> {
    const startedAt = clock.now();
    const health = await own.probe(timeoutMs).catch(() => undefined);
    if (session !== own || closing.signal.aborted) return;
    // This process was suspended, so the state of the member is unknown: its response may have arrived unread.
    if (health === undefined && clock.now() - startedAt > timeoutMs + ownStall) return;
    if (health === undefined) await find();
    else if (!health.hasLeader && endpoints.length > 1) await find(({ hasLeader }) => hasLeader);
  }

  /** @throws EtcdError `not-sent` when no member is found in time, `closed` */
  async function ready(deadline: number): Promise<Session> {
    for (;;) {
      if (closing.signal.aborted) throw new EtcdError('closed', 'etcd: the connection is closed');
      if (session !== undefined) return session;
      const left = deadline - clock.now();
      if (left <= 0) throw new EtcdError('not-sent', `etcd cannot be reached: ${reasons.join('; ')}`);
      await Promise.race([find(), sleep(clock, left, closing.signal)]);
      if (session === undefined) await sleep(clock, Math.min(lookInterval / 2, left), closing.signal);
    }
  }

  /** Whether a failed call may be retried without having an effect twice. */
  function mayRepeat(error: unknown, method: { readonly repeatable: boolean }, deadline: number): boolean {
    if (!isUnavailable(error) || closing.signal.aborted || clock.now() + repeatDelay >= deadline)
      return false;
    return error.code === 'not-sent' || method.repeatable;
  }

  return {
    endpoint: () => session?.endpoint,
    each: (send) =>
      Promise.all(
        endpoints.map(async (endpoint) => {
          const own = createSession(endpoint, dial(endpoint), settings.user);
          return send(own, endpoint.url).finally(() => own.close());
        }),
      ),
    async call<Request, Response>(
      method: Method<Request, Response>,
      request: Request,
      options: CallOptions = {},
    ) {
      const deadline = clock.now() + (options.timeout ?? defaultTimeout);
      for (;;) {
        const used = await ready(deadline);
        try {
          const left = Math.max(deadline - clock.now(), 1);
          const timeout = method.repeatable ? Math.max(left / 2, Math.min(left, minAttemptMs)) : left;
          return await used.call(method, request, { ...options, timeout });
        } catch (error) {
          if (closing.signal.aborted) throw asClosed(error);
          if (!mayRepeat(error, method, deadline)) throw error;
          await Promise.all([
            session === used ? look(used) : undefined,
            sleep(clock, repeatDelay, closing.signal),
          ]);
        }
      }
    },
    async *stream<Request, Response>(
      method: Method<Request, Response>,
      request: Request,
      options: StreamOptions = {},
    ) {
      const used = await ready(clock.now() + defaultTimeout);
      yield* used.stream(method, request, options);
    },
    close() {
      closing.abort();
      session?.close();
      session = undefined;
    },
  };
}

/** Returns the error of a call that was pending when the connection was closed. Its outcome is unknown. */
function asClosed(error: unknown): unknown {
  return error instanceof EtcdError && error.code === 'not-sent'
    ? new EtcdError('closed', 'etcd: the connection is closed', { cause: error })
    : error;
}

/** Returns a shuffled copy, by the algorithm of Fisher and Yates. */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const left = [...items];
  const drawn: T[] = [];
  while (left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  return drawn;
}
