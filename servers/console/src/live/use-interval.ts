import { useEffect } from 'preact/hooks';
import { useReading, type UsedReading } from './use-reading.js';

/** A reading of what no event tells of, and nobody can wait for: it is asked again every so many milliseconds. */
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
