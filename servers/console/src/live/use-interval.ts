import { useEffect } from 'preact/hooks';
import { useReading, type UsedReading } from './use-reading.js';

/** A query result without events or blocking queries: it is fetched at a fixed interval in ms. */
export function useInterval<T>(path: string, milliseconds: number): UsedReading<T> {
  const reading = useReading<T>({ path, topics: [] });
  useEffect(() => {
    const timer = setInterval(reading.refresh, milliseconds);
    return () => {
      clearInterval(timer);
    };
  }, [path]);
  return reading;
}
