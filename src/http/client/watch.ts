import { ClientError } from './client-error.js';
import type { ClientChange, ClientOptions, ClientPage, ClientQuery } from './client-types.js';
import type { FetchList, Parameters, ClientReply } from './connection.js';

/** The state of a watch. */
interface KnownList {
  /** Null if the list reports no indexes. */
  readonly index: string | null;
  readonly history: string | null;
  /** The tag of the result, with which a client waits if there are no indexes. */
  readonly tag: string | null;
  /** The page as it was received; null after changes were applied to it. */
  readonly text: string | null;
  readonly nextToken: string | null;
}

/** Time that a server may take to respond in addition to its wait, in ms. */
const grace = 30_000;
/** Maximum `Retry-After` in milliseconds, and minimum time between responses without changes. */
const maxRetryMs = 300_000;
const minWaitMs = 1_000;

export async function* watchList<T>(
  fetchList: FetchList,
  pageOf: (reply: ClientReply) => ClientPage<T>,
  parameters: Parameters,
  query: ClientQuery,
  signal: AbortSignal | undefined,
  { wait = 55, backoff = defaultBackoffMs, onRetry }: ClientOptions,
): AsyncGenerator<ClientChange<T>, void, undefined> {
  let known: KnownList | null = null;
  let failures = 0;
  /** The index of the last change that was reported. */
  let reported: number | null = 0;
  while (!signal?.aborted) {
    const started = performance.now();
    let changes: ClientChange<T> | null = null;
    let delay = 0;
    try {
      const after: Parameters =
        known === null
          ? {}
          : {
              index: known.index,
              history: known.history,
              watch: 'result',
              changes: true,
              positions: true,
              wait: `${wait}s`,
            };
      const reply = await fetchList(
        { ...parameters, ...after },
        query,
        signal,
        known?.tag,
        wait * 1_000 + grace,
        isResult,
      );
      const index = reply.header('X-Index');
      const tag = index === null ? reply.header('ETag') : null;
      if (index === null && tag === null) throw new ClientError(400, 'This list reports no changes');
      // A client that waits with a tag gets no body if nothing has changed.
      const now: KnownList =
        reply.text === null && known !== null
          ? known
          : {
              ...{ index, tag, history: reply.header('X-History') },
              text: Array.isArray(reply.value) ? reply.text : null,
              nextToken: reply.header('X-Next-Token'),
            };
      changes = now === known ? null : changeOf(reply, known, now, reported, pageOf);
      // Prevents a loop of requests if two unrelated servers share an address, or if a server never waits.
      const isIdle = changes === null && performance.now() - started < minWaitMs;
      const isOther = known !== null && known.history !== now.history;
      failures = isIdle || isOther ? failures + 1 : 0;
      known = now;
      if (failures > 0) delay = backoff(failures);
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof ClientError && error.isPassing)) throw error;
      failures += 1;
      delay = Math.max(backoff(failures), Math.min(error.retryAfter ?? 0, maxRetryMs));
      onRetry?.(error);
    }
    if (changes !== null) {
      reported = changes.index;
      yield changes;
    }
    if (delay > 0 && !signal?.aborted) await pause(delay, signal);
  }
}

/** Whether a value is a page, or changes. */
function isResult(value: unknown): boolean {
  const { entered, left, changed } = Object(value) as Readonly<Record<string, unknown>>;
  return Array.isArray(value) || [entered, left, changed].every(Array.isArray);
}

/** Returns the change that a response contains; null if it contains the known result. */
function changeOf<T>(
  reply: ClientReply,
  before: KnownList | null,
  { text, nextToken, index: at }: KnownList,
  since: number | null,
  pageOf: (reply: ClientReply) => ClientPage<T>,
): ClientChange<T> | null {
  const isSamePlace = before !== null && before.nextToken === nextToken;
  const index = at === null ? null : Number(at);
  if (text !== null) {
    return isSamePlace && before.text === text ? null : { kind: 'page', index, page: pageOf(reply) };
  }
  const { entered, left, changed, positions } = reply.value as Extract<ClientChange<T>, { kind: 'changes' }>;
  return isSamePlace && entered.length + left.length + changed.length === 0
    ? null
    : { kind: 'changes', index, since, entered, left, changed, nextToken, positions };
}

function defaultBackoffMs(failures: number): number {
  return Math.min(500 * 2 ** (failures - 1), 30_000) * (0.5 + Math.random() / 2);
}

/** Resolves after a delay, or when the signal is aborted. */
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
