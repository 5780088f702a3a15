import { ClientError } from './client-error.js';
import type { ClientChange, ClientOptions, ClientPage, ClientQuery } from './client-types.js';
import type { Ask, Parameters, ClientReply } from './connection.js';

/** The state of a watch. */
interface Held {
  readonly index: string;
  readonly history: string | null;
  /** The page as it was received; null once changes have been applied to it. */
  readonly text: string | null;
  readonly nextToken: string | null;
}

/** Milliseconds beyond its wait that a server may take to respond. */
const grace = 30_000;
/** Maximum `Retry-After` in milliseconds, and minimum time between responses without changes. */
const longestRetry = 300_000;
const leastWait = 1_000;

export async function* watchList<T>(
  ask: Ask,
  pageOf: (reply: ClientReply) => ClientPage<T>,
  parameters: Parameters,
  query: ClientQuery,
  signal: AbortSignal | undefined,
  { wait = 55, backoff = usualBackoff, onRetry }: ClientOptions,
): AsyncGenerator<ClientChange<T>, void, undefined> {
  let held: Held | null = null;
  let failures = 0;
  while (!signal?.aborted) {
    const begun = performance.now();
    let told: ClientChange<T> | null = null;
    let delay = 0;
    try {
      const after: Parameters =
        held === null
          ? {}
          : { index: held.index, history: held.history, watch: 'result', changes: true, wait: `${wait}s` };
      const reply = await ask(
        { ...parameters, ...after },
        query,
        signal,
        null,
        wait * 1_000 + grace,
        isResult,
      );
      const index = reply.header('X-Index');
      if (index === null) throw new ClientError(400, 'This list reports no changes');
      const now: Held = {
        index,
        history: reply.header('X-History'),
        text: Array.isArray(reply.value) ? reply.text : null,
        nextToken: reply.header('X-Next-Token'),
      };
      told = changeOf(reply, held, now, pageOf);
      // Two unrelated servers at one address, or one that never waits, would cause a request loop.
      const isIdle = told === null && performance.now() - begun < leastWait;
      const isOther = held !== null && held.history !== now.history;
      failures = isIdle || isOther ? failures + 1 : 0;
      held = now;
      if (failures > 0) delay = backoff(failures);
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof ClientError && error.isPassing)) throw error;
      failures += 1;
      delay = Math.max(backoff(failures), Math.min(error.retryAfter ?? 0, longestRetry));
      onRetry?.(error);
    }
    if (told !== null) yield told;
    if (delay > 0 && !signal?.aborted) await pause(delay, signal);
  }
}

/** Whether a value is a page, or changes. */
function isResult(value: unknown): boolean {
  const { entered, left, changed } = Object(value) as Readonly<Record<string, unknown>>;
  return Array.isArray(value) || [entered, left, changed].every(Array.isArray);
}

/** Returns the change that a response contains; null if the result is the known one. */
function changeOf<T>(
  reply: ClientReply,
  before: Held | null,
  { text, nextToken, index: at }: Held,
  pageOf: (reply: ClientReply) => ClientPage<T>,
): ClientChange<T> | null {
  const isSamePlace = before !== null && before.nextToken === nextToken;
  const index = Number(at);
  if (text !== null) {
    return isSamePlace && before.text === text ? null : { kind: 'page', index, page: pageOf(reply) };
  }
  const { entered, left, changed } = reply.value as Extract<ClientChange<T>, { kind: 'changes' }>;
  return isSamePlace && entered.length + left.length + changed.length === 0
    ? null
    : { kind: 'changes', index, entered, left, changed, nextToken };
}

function usualBackoff(failures: number): number {
  return Math.min(500 * 2 ** (failures - 1), 30_000) * (0.5 + Math.random() / 2);
}

/** Waits for some milliseconds, or until the signal is aborted. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener('abort', finish);
  });
}
