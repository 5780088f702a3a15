import type { CallMessage, Engine, EngineMethod, ScanState, WorkerMessage } from './protocol.js';

/** The engine in its worker. */
export interface EngineClient {
  call<Method extends EngineMethod>(
    method: Method,
    ...args: Parameters<Engine[Method]>
  ): Promise<ReturnType<Engine[Method]>>;
  /** Ends the worker, whatever it is at, and starts another, which knows no rows. Calls under way are rejected. */
  restart(): void;
}

/** A call that the worker could not carry out. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
}

/** How the page hears of the worker. */
export interface EngineEvents {
  readonly onProgress: (state: ScanState) => void;
  /** Called with true after some seconds of silence while calls wait, with false once the worker responds. */
  readonly onSilence: (isSilent: boolean) => void;
}

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: EngineFailure) => void;
}

/** Milliseconds without a word after which the worker counts as silent. */
const timeoutMs = 4_000;

export function createEngineClient(startWorker: () => Worker, events: EngineEvents): EngineClient {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let alarm: ReturnType<typeof setTimeout> | undefined;

  const watch = (): void => {
    clearTimeout(alarm);
    events.onSilence(false);
    if (pending.size > 0)
      alarm = setTimeout(() => {
        events.onSilence(true);
      }, timeoutMs);
  };
  const hear = ({ data }: MessageEvent<WorkerMessage>): void => {
    if (data.kind === 'progress') events.onProgress(data.state);
    else {
      const call = pending.get(data.id);
      pending.delete(data.id);
      if (data.kind === 'answer') call?.resolve(data.value as never);
      else call?.reject(new EngineFailure(data.message));
    }
    watch();
  };
  const start = (): Worker => {
    const started = startWorker();
    started.addEventListener('message', hear);
    started.addEventListener('error', ({ message }) => {
      rejectAll(message || 'the worker could not be started');
    });
    return started;
  };
  const rejectAll = (message: string): void => {
    for (const { reject } of pending.values()) reject(new EngineFailure(message));
    pending.clear();
    watch();
  };
  let worker = start();

  return {
    call(method, ...args) {
      return new Promise((resolve, reject) => {
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        const message: CallMessage = { id: lastId, method, args };
        worker.postMessage(message);
        if (pending.size === 1) watch();
      });
    },
    restart() {
      worker.terminate();
      rejectAll('the engine was started anew');
      worker = start();
    },
  };
}
