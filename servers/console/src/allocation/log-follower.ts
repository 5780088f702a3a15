import type { ApiClient, Query } from '../api/api-client.js';
import { isPassing, type ApiFailure } from '../api/api-failure.js';
import { pause } from '../live/pause.js';

/** The log to follow. */
export interface LogParams {
  readonly allocation: string;
  readonly task: string;
  readonly type: 'stdout' | 'stderr';
  /** Whether more output is possible; otherwise the log is read once. */
  readonly isRunning: boolean;
}

/** `waiting`: there is no log at the moment, and the request is repeated. `ended`: the whole log was read. */
export type LogState =
  | { readonly kind: 'connecting' | 'following' | 'ended' }
  | { readonly kind: 'waiting' | 'refused'; readonly failure: ApiFailure };

interface LogListener {
  /** Called on a restart, when the log is read again from its start. */
  readonly onBegin: () => void;
  readonly onText: (text: string) => void;
  readonly onState: (state: LogState) => void;
}

/** Number of bytes before the end at which a log starts. */
const tail = 256 * 1_024;
/** Maximum time of reading before other work runs, in ms. Prevents a task with endless output from freezing the page. */
const slice = 8;
/** Retry delay in ms, by the number of failures. */
const delays = [1_000, 2_000, 4_000, 8_000];

/** Follows a log until the signal is aborted, reconnecting when agents are unreachable for a while. */
export async function followLog(
  api: ApiClient,
  { allocation, task, type, isRunning }: LogParams,
  { onBegin, onText, onState }: LogListener,
  signal: AbortSignal,
): Promise<void> {
  const path = `/v1/client/fs/logs/${encodeURIComponent(allocation)}`;
  const query: Query = {
    ...{ task, type, plain: 'true', origin: 'end', offset: String(tail) },
    follow: isRunning ? 'true' : 'false',
  };
  for (let failures = 0; !signal.aborted;) {
    const opened = await api.open(path, { query, signal });
    if (signal.aborted) return;
    if (opened.ok) {
      failures = 0;
      onBegin();
      onState({ kind: 'following' });
      const isWhole = await readText(opened.value.body, onText, signal);
      if (signal.aborted) return;
      if (isWhole && !isRunning) {
        onState({ kind: 'ended' });
        return;
      }
      onState({ kind: 'connecting' });
    } else {
      // A task that has not started has no log yet.
      const mayCome = isPassing(opened.failure) || (isRunning && opened.failure.kind === 'missing');
      onState({ kind: mayCome ? 'waiting' : 'refused', failure: opened.failure });
      if (!mayCome) return;
    }
    await pause(delays[Math.min(failures, delays.length - 1)] ?? 0, signal);
    failures += 1;
  }
}

/** Resolves to whether the body was read to its end. */
async function readText(
  body: ReadableStream<Uint8Array<ArrayBuffer>> | null,
  onText: (text: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  if (body === null) return true;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let started = performance.now(); ;) {
      const { done, value } = await reader.read();
      if (done) return true;
      onText(value);
      if (performance.now() - started < slice) continue;
      await pause(0, signal);
      started = performance.now();
    }
  } catch {
    return false;
  }
}
