import { accessTokens, type ProviderOptions } from './provider.js';
import { effectiveConfig, type CloudConfig, type EffectiveConfig, type Environment } from './config.js';
import type { PendingSecret } from './config.js';
import type { CloudEndpoints } from '../../cloud/endpoints.js';
import { CloudError } from '../../cloud/cloud-error.js';
import { createDirectoryGraph, type Application, type DirectoryGraph } from '../../cloud/directory-graph.js';
import { pause } from '../../cloud/retry.js';
import { SecretsError } from '../../errors.js';
import type { Logger } from '../../logger.js';

export interface RotateOptions extends ProviderOptions {
  readonly environment: Environment;
  readonly endpoints: CloudEndpoints;
  readonly logger: Logger;
  readonly uuid: () => string;
  /** Stores the configuration and lets nobody use what was kept of the one before. */
  readonly save: (config: CloudConfig) => Promise<void>;
}

/**
 * The directory needs a while until every part of it knows a new secret: pauses before further tries, in milliseconds.
 * Whoever waits for a rotation keeps changes of the configuration waiting too, so this is not longer.
 */
export const tryPauses: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000, 8_000];
/** How long a secret that the server has made lives: half a year. */
const secretLifetime = 182.5 * 86_400_000;

/**
 * Begins a rotation: adds a secret to the application and stores it as pending. The one in use stays in use.
 *
 * @throws SecretsError `bad-request` when there is nothing that could be rotated, `cloud-unreachable` when the
 *   directory did not add a secret.
 */
export async function beginRotation(
  config: CloudConfig | null,
  options: RotateOptions,
  signal: AbortSignal,
): Promise<CloudConfig> {
  const current = requireSecret(config);
  const effective = effectiveConfig(current, options.environment, options.endpoints);
  const graph = graphWith(effective, current.clientSecret, options);
  const application = await graph.application(current.clientId, signal);
  const expires = new Date(options.clock.now() + secretLifetime);
  const displayName = `secrets-${options.uuid()}`;
  const added = await graph
    .addPassword(application.id, displayName, expires, signal)
    .catch((error: unknown) => warnOfOrphan(error, displayName, options.logger));
  const replaces = current.rotation.keyId ?? keyOf(application, current.clientSecret);
  const pending: PendingSecret = { ...added, application: application.id, replaces };
  const next = { ...current, rotation: { ...current.rotation, pending } };
  try {
    await options.save(next);
  } catch (error) {
    // A secret that nobody has kept must not stay valid.
    await graph.removePassword(application.id, added.keyId, signal).catch(() => {
      options.logger.error({ keyId: added.keyId }, 'a new client secret was neither stored nor removed');
    });
    throw error;
  }
  return next;
}

/** Without a usable answer nobody knows whether there is a new secret. If there is, only its name can be told. */
function warnOfOrphan(error: unknown, displayName: string, logger: Logger): never {
  if (error instanceof CloudError && error.code !== 'refused') {
    logger.warn({ displayName }, 'a client secret of this name may have been added: remove it by hand');
  }
  throw error;
}

function requireSecret(config: CloudConfig | null): CloudConfig {
  if (config === null) throw new SecretsError('bad-request', 'not configured');
  if (config.identityTokenAudience !== '') {
    throw new SecretsError('bad-request', 'with identity_token_audience there is no client secret to rotate');
  }
  if (config.clientId === '' || config.clientSecret === '') {
    throw new SecretsError(
      'bad-request',
      'rotation needs client_id and client_secret in the configuration: one from the environment cannot be replaced',
    );
  }
  return config;
}

/**
 * Which key the secret in use has. It is the only one, or the only one that begins like the secret: everything else
 * would be a guess, and a guess could remove the secret of somebody else.
 */
function keyOf({ passwords }: Application, secret: string): string | null {
  const [only, ...others] = passwords;
  if (only !== undefined && others.length === 0) return only.keyId;
  const alike = passwords.filter(({ hint }) => hint !== '' && secret.startsWith(hint));
  return alike.length === 1 ? (alike[0]?.keyId ?? null) : null;
}

/**
 * Goes on with a rotation: sees whether the new secret works, stores it as the one in use, and only then removes the
 * key that it replaces. Where it stops, the next call goes on. Returns the configuration as it now is.
 *
 * @param pauses milliseconds before each further look whether the secret works; none for one look.
 */
export async function continueRotation(
  config: CloudConfig,
  options: RotateOptions,
  signal: AbortSignal,
  pauses: readonly number[] = [],
): Promise<CloudConfig> {
  const promoted = await promote(config, options, signal, pauses);
  return retire(promoted, options, signal);
}

/** Whether a rotation has steps left. */
export function isRotating({ rotation }: CloudConfig): boolean {
  return rotation.pending !== null || rotation.retired.length > 0;
}

async function promote(
  config: CloudConfig,
  options: RotateOptions,
  signal: AbortSignal,
  pauses: readonly number[],
): Promise<CloudConfig> {
  const { pending } = config.rotation;
  if (pending === null || !(await works(config, pending.secret, options, signal, pauses))) return config;
  const { keyId, application, replaces } = pending;
  const retired = replaces === null ? [] : [{ keyId: replaces, application }];
  if (replaces === null) {
    options.logger.warn(
      { application },
      'the replaced client secret is not known by its key: remove it by hand',
    );
  }
  const next: CloudConfig = {
    ...config,
    clientSecret: pending.secret,
    secretIsRotated: true,
    rotation: { keyId, pending: null, retired: [...config.rotation.retired, ...retired] },
  };
  await options.save(next);
  options.logger.info({ keyId }, 'the new client secret is in use');
  return next;
}

/** Whether the cloud gives out tokens for a secret yet. */
async function works(
  config: CloudConfig,
  secret: string,
  options: RotateOptions,
  signal: AbortSignal,
  pauses: readonly number[],
): Promise<boolean> {
  const effective = effectiveConfig(config, options.environment, options.endpoints);
  for (const wait of [0, ...pauses]) {
    try {
      if (wait > 0) await pause(options.clock, wait, signal);
      await tokensWith(effective, secret, options).token(effective.endpoints.graph, signal);
      return true;
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      if (signal.aborted) break;
    }
  }
  options.logger.warn({}, 'the new client secret does not work yet: the one before stays in use');
  return false;
}

/** Removes the keys that were replaced, and no others. */
async function retire(
  config: CloudConfig,
  options: RotateOptions,
  signal: AbortSignal,
): Promise<CloudConfig> {
  let current = config;
  for (const retired of config.rotation.retired) {
    const effective = effectiveConfig(config, options.environment, options.endpoints);
    const graph = graphWith(effective, config.clientSecret, options);
    try {
      await graph.removePassword(retired.application, retired.keyId, signal);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      options.logger.warn({ reason: error.message }, 'the replaced client secret could not be removed yet');
      continue;
    }
    const left = current.rotation.retired.filter((other) => other !== retired);
    current = { ...current, rotation: { ...current.rotation, retired: left } };
    await options.save(current);
    options.logger.info({ keyId: retired.keyId }, 'the replaced client secret was removed');
  }
  return current;
}

function tokensWith(
  effective: EffectiveConfig,
  clientSecret: string,
  options: RotateOptions,
): ReturnType<typeof accessTokens> {
  return accessTokens(
    effective,
    { kind: 'client-secret', clientId: effective.clientId, clientSecret },
    options,
  );
}

function graphWith(effective: EffectiveConfig, secret: string, options: RotateOptions): DirectoryGraph {
  const tokens = tokensWith(effective, secret, options);
  return createDirectoryGraph({ send: options.send, tokens, graph: effective.endpoints.graph });
}
