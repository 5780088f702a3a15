import type { Provider } from './provider.js';

/** The provider of the current configuration, created on first use. */
export interface ProviderCache {
  readonly get: () => Promise<Provider>;
  /** Drops the provider and those being created. */
  drop(): void;
}

/** @param make reads the configuration and creates a provider for it. */
export function createProviderCache(make: () => Promise<Provider>): ProviderCache {
  let provider: Provider | null = null;
  /** Counts changes. A provider of an outdated configuration is used once and not cached. */
  let revision = 0;
  return {
    async get() {
      if (provider !== null) return provider;
      const made = revision;
      const next = await make();
      // Concurrent logins share the first provider that is created.
      if (made === revision) provider ??= next;
      return provider ?? next;
    },
    drop() {
      revision += 1;
      provider = null;
    },
  };
}
