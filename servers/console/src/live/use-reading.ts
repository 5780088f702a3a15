import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useConsole } from '../app/console.js';
import { createReading, nothingRead, type LiveReading, type JobQuery, type Reading } from './reading.js';

/**
 * A query result that is kept up to date while the component is mounted. `refresh` fetches it immediately, for example after a
 * write.
 */
export interface UsedReading<T> extends Reading<T> {
  readonly refresh: () => void;
}

/** A query result with its request. */
interface CurrentReading<T> {
  readonly key: string;
  readonly reading: Reading<T>;
}

/**
 * Fetches data and keeps it up to date. When the request changes, the old result is kept until the new one arrives; give a
 * component that must not show it a `key`. Null fetches nothing.
 */
export function useReading<T>(params: JobQuery | null): UsedReading<T> {
  const { api, live, session } = useConsole();
  const current = useSignal<CurrentReading<T>>({ key: '', reading: nothingRead });
  const made = useRef<LiveReading<T> | null>(null);
  const key = JSON.stringify([session.token.value, params]);
  useEffect(() => {
    if (params === null) return;
    const started = createReading<T>({ api, live }, params, current.peek().reading);
    made.current = started;
    const leave = started.reading.subscribe((reading) => {
      current.value = { key, reading };
    });
    return () => {
      leave();
      started.stop();
    };
  }, [key]);
  const refresh = (): void => made.current?.refresh();
  const { reading, key: loadedKey } = current.value;
  return { ...reading, isCurrent: reading.isCurrent && loadedKey === key, refresh };
}
