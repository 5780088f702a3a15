import type { CloudEndpoints } from '../../cloud/endpoints.js';
import { badRequest, SecretsError } from '../../base/errors.js';
import { createLocks } from '../../base/locks.js';
import type { Logger } from '../../base/logger.js';
import {
  changesSecret,
  effectiveConfig,
  emptyConfig,
  isConfigured,
  isUnproven,
  mergeConfig,
} from './config.js';
import type { CloudConfig, Environment } from './config.js';
import { createProvider, type ProviderOptions, type Provider } from './provider.js';
import type { Repository } from './repository.js';
import {
  abandonRotation,
  beginRotation,
  continueRotation,
  isRotating,
  rotationWarnings,
  tryPauses,
} from './rotate.js';

export interface ConfigManagerOptions extends ProviderOptions {
  readonly repository: Pick<Repository, 'config' | 'saveConfig'>;
  readonly environment: Environment;
  readonly endpoints: CloudEndpoints;
  readonly logger: Logger;
  readonly uuid: () => string;
}

/** Serialises changes of the configuration, and caches its provider. */
export type ConfigManager = ReturnType<typeof createConfigManager>;

/** Delay before an unfinished rotation is continued, in ms. */
const rotationPause = 60_000;

export function createConfigManager(options: ConfigManagerOptions) {
  const { repository, environment, endpoints, clock, logger } = options;
  const locked = createLocks();
  const changing = <Value>(task: () => Promise<Value>): Promise<Value> => locked('config', task);
  /** Rotations have their own lock, because one takes half a minute and must not delay other changes. */
  const rotating = <Value>(task: () => Promise<Value>): Promise<Value> => locked('rotation', task);
  /** Whether a new secret was requested and is not stored yet. */
  let isBeginning = false;
  const closing = new AbortController();
  let cancelTimer = (): void => undefined;

  const providers = createProviderCache(async () => {
    const config = await repository.config();
    if (!isConfigured(config, environment)) throw badRequest('not configured');
    return createProvider(effectiveConfig(config ?? emptyConfig, environment, endpoints), options);
  });
  const save = async (config: CloudConfig | null): Promise<void> => {
    await repository.saveConfig(config);
    providers.drop();
  };
  const rotation = {
    ...options,
    update: (change: (config: CloudConfig) => CloudConfig | null) =>
      changing(async () => {
        const stored = await repository.config();
        const changed = stored === null ? null : change(stored);
        if (changed !== null) await save(changed);
        return changed;
      }),
  };

  const resume = async (): Promise<void> => {
    const config = await repository.config();
    if (config === null || !isRotating(config)) return;
    const continued = await continueRotation(config, rotation, closing.signal);
    if (continued !== null && isRotating(continued)) resumeLater(rotationPause);
  };
  const resumeLater = (pause: number): void => {
    cancelTimer();
    if (closing.signal.aborted) return;
    cancelTimer = clock.after(pause, () => {
      rotating(resume).catch((error: unknown) => {
        // A sealed store is not an error, because it will be unsealed later.
        const reason = error instanceof SecretsError ? error.code : 'internal';
        if (reason !== 'sealed') logger.error({ reason }, 'a rotation did not go on');
        resumeLater(rotationPause);
      });
    });
  };
  const begin = async (config: CloudConfig | null): Promise<CloudConfig> => {
    isBeginning = true;
    try {
      return await beginRotation(config, rotation, closing.signal);
    } finally {
      isBeginning = false;
    }
  };
  /** Not aborted if the caller disconnects, because the new secret would be lost. */
  const rotate = async (): Promise<readonly string[]> => {
    const { signal } = closing;
    const config = await repository.config();
    const settled =
      config !== null && isRotating(config) ? await continueRotation(config, rotation, signal) : config;
    // There is only one pending secret: a second one would leave the first valid but unknown to this server.
    if (isUnproven(settled)) throw badRequest('a rotation is under way: wait until its new secret works');
    const started = await begin(settled);
    resumeLater(rotationPause);
    const continued = await continueRotation(started, rotation, signal, tryPauses).catch((error: unknown) => {
      // The new secret is stored, so the next attempt continues from there.
      logger.error(
        { reason: error instanceof Error ? error.message : 'internal' },
        'a rotation did not go on',
      );
      return started;
    });
    if (continued === null || (await repository.config()) === null) {
      cancelTimer();
      throw new SecretsError(
        'conflict',
        'the configuration was changed in the meantime: the secret was not rotated',
      );
    }
    if (!isRotating(continued)) cancelTimer();
    return rotationWarnings(continued);
  };

  // Continues a rotation that the previous process left unfinished.
  resumeLater(0);

  return {
    /**
     * Changes the configuration. @throws SecretsError `bad-request`, or `conflict` while a new secret is unproven; then nothing
     * changes.
     */
    write: (body: Readonly<Record<string, unknown>>): Promise<void> =>
      changing(async () => {
        const stored = await repository.config();
        const merged = mergeConfig(stored, body);
        const waits = isBeginning || isUnproven(stored);
        if (waits && changesSecret(stored ?? emptyConfig, body)) throw rotationUnderWay();
        effectiveConfig(merged, environment, endpoints);
        await save(merged);
      }),

    /** Deletes the configuration and ends a rotation. Resolves with warnings about keys to be removed manually. */
    async delete(): Promise<readonly string[]> {
      const removed = await changing(async () => {
        const stored = await repository.config();
        await save(null);
        return stored;
      });
      return removed === null ? [] : abandonRotation(removed, rotation, closing.signal);
    },

    /**
     * Rotates the secret. Resolves when a new secret is stored, with warnings about remaining steps.
     *
     * @throws SecretsError or CloudError; then the previous secret stays in use.
     */
    rotate: (): Promise<readonly string[]> => rotating(rotate),

    /** Returns the provider of the current configuration. @throws SecretsError `bad-request` while nothing is configured. */
    provider: providers.get,

    async close(): Promise<void> {
      cancelTimer();
      closing.abort();
      await rotating(async () => undefined);
      await changing(async () => undefined);
    },
  };
}

function rotationUnderWay(): SecretsError {
  return new SecretsError(
    'conflict',
    'a rotation is under way and its new secret is not proven yet: wait, or delete the configuration',
  );
}

/**
 * Creates an empty cache.
 *
 * @param make reads the configuration and creates its provider.
 */
function createProviderCache(make: () => Promise<Provider>) {
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
