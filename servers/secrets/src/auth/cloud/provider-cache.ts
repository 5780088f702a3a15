import type { Provider } from './provider.js';

/**
 * Creates an empty cache.
 *
 * @param make reads the configuration and creates its provider.
 */
export function createProviderCache(make: () => Promise<Provider>) {
  let provider: Provider | null = null;
  /** Number of changes so far. A provider for an outdated configuration is used once and not cached. */
  let revision = 0;
  return {
    get: async (): Promise<Provider> => {
      if (provider !== null) return provider;
      const made = revision;
      const next = await make();
      // Of several providers that concurrent logins create, the first one is cached.
      if (made === revision) provider ??= next;
      return provider ?? next;
    },
    /** Drops the cached provider, and any provider that is being created. */
    drop(): void {
      revision += 1;
      provider = null;
    },
  };
}
