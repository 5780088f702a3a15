import type { LanguageResponse, LanguageCall, ResourceLanguage, ResourceName } from './protocol.js';

/** The client of the worker that runs the filter engine; the worker is started on the first call. */
export interface LanguageClient {
  of(resource: ResourceName): ResourceLanguage;
}

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

export function createLanguageClient(startWorker: () => Worker): LanguageClient {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let worker: Worker | null = null;

  const start = (): Worker => {
    const started = startWorker();
    started.addEventListener('message', ({ data }: MessageEvent<LanguageResponse>) => {
      const call = pending.get(data.id);
      pending.delete(data.id);
      if (data.ok) call?.resolve(data.value as never);
      else call?.reject(new Error(data.message));
    });
    started.addEventListener('error', ({ message }) => {
      // The worker failed, for example because its file could not be loaded. The next call starts another.
      worker = null;
      for (const { reject } of pending.values())
        reject(new Error(message || 'the worker could not be started'));
      pending.clear();
    });
    return started;
  };
  const call = <T>(
    resource: ResourceName,
    method: keyof ResourceLanguage,
    args: readonly unknown[],
  ): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      const message: LanguageCall = { id: lastId, resource, method, args };
      worker ??= start();
      worker.postMessage(message);
    });
  return {
    of: (resource) => ({
      complete: (...args) => call(resource, 'complete', args),
      hover: (...args) => call(resource, 'hover', args),
      problems: (...args) => call(resource, 'problems', args),
      format: (...args) => call(resource, 'format', args),
      setCompletionData: (...args) => call(resource, 'setCompletionData', args),
      withClause: (...args) => call(resource, 'withClause', args),
      replaceClause: (...args) => call(resource, 'replaceClause', args),
    }),
  };
}
