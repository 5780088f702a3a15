import type { CloudEndpoints } from '../../cloud/endpoints.js';
import { SecretsError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import { effectiveConfig, emptyConfig, isConfigured, mergeConfig } from './config.js';
import type { CloudConfig, Environment } from './config.js';
import { createProvider, type Provider, type ProviderOptions } from './provider.js';
import { createProviderCache } from './provider-cache.js';
import { createQueue } from './queue.js';
import type { Records } from './records.js';
import { beginRotation, continueRotation, isRotating, tryPauses } from './rotate.js';

export interface ConfigKeeperOptions extends ProviderOptions {
  readonly records: Pick<Records, 'config' | 'saveConfig'>;
  readonly environment: Environment;
  readonly endpoints: CloudEndpoints;
  readonly logger: Logger;
  readonly uuid: () => string;
}

/** The one who changes the configuration, and knows what was made of it. Changes come one after another. */
export interface ConfigKeeper {
  /** @throws SecretsError `bad-request`; then nothing has changed. */
  write(body: Readonly<Record<string, unknown>>): Promise<void>;
  delete(): Promise<void>;
  /** @throws SecretsError or CloudError; then the secret in use is the one before. */
  rotate(): Promise<void>;
  /** The cloud as it is configured now. @throws SecretsError `bad-request` while nothing is configured. */
  provider(): Promise<Provider>;
  close(): Promise<void>;
}

/** Milliseconds after which an unfinished rotation is taken up again. */
const rotationPause = 60_000;

export function createConfigKeeper(options: ConfigKeeperOptions): ConfigKeeper {
  const { records, environment, endpoints, clock, logger } = options;
  const queue = createQueue();
  const closing = new AbortController();
  let cancelTimer = (): void => undefined;

  const providers = createProviderCache(async () => {
    const config = await records.config();
    if (!isConfigured(config, environment)) throw new SecretsError('bad-request', 'not configured');
    return createProvider(effectiveConfig(config ?? emptyConfig, environment, endpoints), options);
  });
  const save = async (config: CloudConfig | null): Promise<void> => {
    await records.saveConfig(config);
    providers.drop();
  };
  const rotation = { ...options, save };

  const resume = async (): Promise<void> => {
    const config = await records.config();
    if (config === null || !isRotating(config)) return;
    if (isRotating(await continueRotation(config, rotation, closing.signal))) resumeLater(rotationPause);
  };
  const resumeLater = (pause: number): void => {
    cancelTimer();
    if (closing.signal.aborted) return;
    cancelTimer = clock.after(pause, () => {
      queue(resume).catch((error: unknown) => {
        // A sealed store is no fault: it will open.
        const reason = error instanceof SecretsError ? error.code : 'internal';
        if (reason !== 'sealed') logger.error({ reason }, 'a rotation did not go on');
        resumeLater(rotationPause);
      });
    });
  };
  /** Not ended by a caller who leaves: the answer that would be lost is the new secret. */
  const rotate = async (): Promise<void> => {
    const { signal } = closing;
    const config = await records.config();
    const settled =
      config !== null && isRotating(config) ? await continueRotation(config, rotation, signal) : config;
    // One at a time: a second pending secret would leave the first one valid and known to nobody.
    if (settled !== null && settled.rotation.pending !== null) {
      throw new SecretsError('bad-request', 'a rotation is under way: wait for it, or write a client_secret');
    }
    const begun = await beginRotation(settled, rotation, signal);
    resumeLater(rotationPause);
    if (!isRotating(await continueRotation(begun, rotation, signal, tryPauses))) cancelTimer();
  };

  // What the process before this one has left unfinished.
  resumeLater(0);

  return {
    write: (body) =>
      queue(async () => {
        const merged = mergeConfig(await records.config(), body);
        effectiveConfig(merged, environment, endpoints);
        await save(merged);
      }),

    delete: () => queue(() => save(null)),

    rotate: () => queue(rotate),

    provider: providers.get,

    async close() {
      cancelTimer();
      closing.abort();
      await queue(async () => undefined);
    },
  };
}
