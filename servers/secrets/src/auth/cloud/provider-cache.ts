import type { Provider } from './provider.js';

/** The provider of the current configuration, created on first use. */
export interface ProviderCache {
  readonly get: () => Promise<Provider>;
  /** Forgets the provider, and the ones that are just being made. */
  drop(): void;
}

/** @param make reads the configuration and makes a provider of it. */
export function createProviderCache(make: () => Promise<Provider>): ProviderCache {
  let provider: Provider | null = null;
  /** Counts changes: what was made of a configuration that is no longer stored is used once and not kept. */
  let revision = 0;
  return {
    async get() {
      if (provider !== null) return provider;
      const made = revision;
      const next = await make();
      // Several logins may have come here together: they share what the first one makes.
      if (made === revision) provider ??= next;
      return provider ?? next;
    },
    drop() {
      revision += 1;
      provider = null;
    },
  };
}
