import { setTimeout as wait } from 'node:timers/promises';

/** Looks until there is something; the test's own time limit ends it. */
export async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await wait(10);
  }
}
