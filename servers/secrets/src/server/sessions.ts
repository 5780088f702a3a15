import { setMaxListeners } from 'node:events';
import { SecretsError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { OpenSeal } from '../seal/seal.js';
import type { Services } from './services.js';

/** A period during which the seal is open, with the services of that period. */
export interface Session {
  readonly seal: OpenSeal;
  readonly services: Services;
  /** Runs work that needs the keys: they stay available until it ends. */
  run<T>(work: Promise<T>): Promise<T>;
  /** Waits for an external party, but at most until the session ends. @throws SecretsError `sealed` */
  awaitWithin<T>(pending: Promise<T>): Promise<T>;
}

/**
 * Runs one session at a time. Two sets of services on one store would count tokens twice and cache policies that the other set
 * changes.
 */
export type Sessions = ReturnType<typeof createSessions>;

interface Current extends Session {
  readonly works: ReadonlySet<Promise<unknown>>;
  readonly ending: AbortController;
}

export function createSessions(logger: Logger) {
  let current: Current | null = null;
  let beginning: Promise<void> | null = null;
  let over = Promise.resolve();

  async function beginWith(opened: OpenSeal, openServices: () => Promise<Services>): Promise<void> {
    try {
      await over;
      current = createSession(opened, await openServices());
    } catch (error) {
      opened.forget();
      throw error;
    } finally {
      beginning = null;
    }
  }

  return {
    /** Null while the seal is closed. */
    current: (): Session | null => current,
    /**
     * Begins a session after the previous one has ended. Does nothing if there is a session, or if another caller is beginning one.
     *
     * @param opened the keys, which are erased at the end of the session, or at once if no session begins.
     */
    async begin(opened: OpenSeal, openServices: () => Promise<Services>): Promise<void> {
      if (current === null && beginning === null) beginning = beginWith(opened, openServices);
      else opened.forget();
      await beginning;
    },
    /** Ends the session. Pending work continues, but waits for external parties are rejected. */
    end: (): void => {
      if (current === null) return;
      const { seal, services, works, ending } = current;
      current = null;
      ending.abort();
      over = Promise.allSettled(works)
        .then(() => services.close())
        .catch((error: unknown) =>
          logger.error({ err: error }, 'the services were not closed as they should'),
        )
        .finally(() => seal.forget());
    },
    /** Resolves when all work of the previous session has ended. */
    get over(): Promise<void> {
      return over;
    },
  };
}

function createSession(seal: OpenSeal, services: Services): Current {
  const works = new Set<Promise<unknown>>();
  const ending = new AbortController();
  const { signal } = ending;
  // Each body that is being received adds a listener, so the default warning does not apply.
  setMaxListeners(0, signal);
  return {
    seal,
    services,
    works,
    ending,
    async run(work) {
      works.add(work);
      try {
        return await work;
      } finally {
        works.delete(work);
      }
    },
    awaitWithin: (pending) =>
      new Promise((resolve, reject) => {
        const leave = (): void => reject(sealed());
        if (signal.aborted) leave();
        signal.addEventListener('abort', leave);
        pending.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
      }),
  };
}

export function sealed(): SecretsError {
  return new SecretsError('sealed', 'the server is sealed');
}
