import type { Provider } from './provider.js';

/** The provider of the current configuration, created on first use. */
export interface ProviderCache {
  readonly get: () => Promise<Provider>;
  /** Drops the cached provider, and any provider that is being created. */
  drop(): void;
}

/**
 * Creates an empty cache.
 *
 * @param make reads the configuration and creates its provider.
 */
export function createProviderCache(make: () => Promise<Provider>): ProviderCache {
  let provider: Provider | null = null;
  /** Number of changes so far. A provider for an outdated configuration is used once and not cached. */
  let revision = 0;
  return {
    async get() {
      if (provider !== null) return provider;
      const made = revision;
      const next = await make();
      // Of several providers that concurrent logins create, the first one is cached.
      if (made === revision) provider ??= next;
      return provider ?? next;
    },
    drop() {
      revision += 1;
      provider = null;
    },
  };
}
