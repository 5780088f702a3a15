import { accessTokens, type ProviderOptions } from './provider.js';
import { effectiveConfig, type CloudConfig, type EffectiveConfig, type Environment } from './config.js';
import type { PendingSecret } from './config.js';
import type { CloudEndpoints } from '../../cloud/endpoints.js';
import { CloudError } from '../../cloud/cloud-error.js';
import { createDirectoryGraph, type Application, type DirectoryGraph } from '../../cloud/directory-graph.js';
import { pause } from '../../cloud/retry.js';
import { SecretsError } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';

export interface RotateOptions extends ProviderOptions {
  readonly environment: Environment;
  readonly endpoints: CloudEndpoints;
  readonly logger: Logger;
  readonly uuid: () => string;
  /**
   * Changes the currently stored configuration, and invalidates everything cached from the previous one. Returns null without a
   * change if it is gone or if `change` returns null because of a concurrent change.
   */
  readonly update: (change: (config: CloudConfig) => CloudConfig | null) => Promise<CloudConfig | null>;
}

/**
 * The directory needs a while until every part of it knows a new secret: pauses before further tries, in ms. A caller waits for
 * the response, so this is not longer.
 */
export const tryPauses: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000, 8_000];
/** Milliseconds after which a secret that never worked is given up. */
const timeoutMs = 3_600_000;
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
  const since = options.clock.now();
  const isOldKeyUnknown = replaces === null;
  const begin = (stored: CloudConfig): CloudConfig | null => {
    const { keyId, retired } = stored.rotation;
    if (!hasSameSecret(stored, current)) return null;
    return { ...stored, rotation: { keyId, retired, pending, since, isOldKeyUnknown } };
  };
  const next = await options.update(begin).catch(async (error: unknown) => {
    await forget(pending, current, options, signal);
    throw error;
  });
  if (next !== null) return next;
  await forget(pending, current, options, signal);
  throw new SecretsError(
    'conflict',
    'the configuration was changed in the meantime: the secret was not rotated',
  );
}

function hasSameSecret(a: CloudConfig, b: CloudConfig): boolean {
  return a.clientSecret === b.clientSecret && a.clientId === b.clientId && a.tenantId === b.tenantId;
}

/**
 * Ends a rotation whose configuration is gone: removes the orphaned keys from the directory.
 *
 * @returns warnings that name the keys that are still there.
 */
export async function abandonRotation(
  config: CloudConfig,
  options: RotateOptions,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { pending, retired } = config.rotation;
  const keys = [...(pending === null ? [] : [pending]), ...retired];
  const warnings: string[] = [];
  for (const key of keys) {
    if (await forget(key, config, options, signal)) continue;
    warnings.push(`the key ${key.keyId} of the rotation is still in the directory: remove it by hand`);
  }
  return warnings;
}

/** A secret that is not stored must not stay valid. False if it may. */
async function forget(
  { application, keyId }: Pick<PendingSecret, 'application' | 'keyId'>,
  config: CloudConfig,
  options: RotateOptions,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const effective = effectiveConfig(config, options.environment, options.endpoints);
    await graphWith(effective, config.clientSecret, options).removePassword(application, keyId, signal);
    return true;
  } catch {
    options.logger.error(
      { keyId },
      'a new client secret that is not used could not be removed: remove it by hand',
    );
    return false;
  }
}

/** Without a usable response it is unknown whether there is a new secret. If there is, only its name can be reported. */
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
 * The key of the secret in use. It is the only one, or the only one that begins like the secret: everything else would be a
 * guess, and a guess could remove the secret of another application.
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
): Promise<CloudConfig | null> {
  const promoted = await promote(config, options, signal, pauses);
  return promoted === null ? null : retire(promoted, options, signal);
}

/** Whether a rotation has steps left. */
export function isRotating({ rotation }: CloudConfig): boolean {
  return rotation.pending !== null || rotation.retired.length > 0;
}

/** The warnings about a rotation that has begun: everything that is left to do. */
export function rotationWarnings({ rotation }: CloudConfig): readonly string[] {
  const { pending, retired, isOldKeyUnknown = false } = rotation;
  return [
    ...(pending === null
      ? []
      : [
          'the new client secret is stored but not verified yet: the previous one stays in use until it works',
        ]),
    ...(retired.length === 0
      ? []
      : [
          'the new client secret is in use, but the previous key is not removed yet: the server keeps trying',
        ]),
    ...(isOldKeyUnknown
      ? ['the key of the previous client secret could not be identified: remove it by hand']
      : []),
  ];
}

/** Null if a concurrent change of the configuration leaves no place for the new secret. */
async function promote(
  config: CloudConfig,
  options: RotateOptions,
  signal: AbortSignal,
  pauses: readonly number[],
): Promise<CloudConfig | null> {
  const { pending } = config.rotation;
  if (pending === null) return config;
  if (!(await works(config, pending.secret, options, signal, pauses))) {
    return giveUpInTime(config, pending, options, signal);
  }
  const { keyId, application, replaces } = pending;
  const retired = replaces === null ? [] : [{ keyId: replaces, application }];
  const next = await options.update((stored) =>
    stored.rotation.pending?.keyId !== keyId
      ? null
      : {
          ...stored,
          clientSecret: pending.secret,
          secretIsRotated: true,
          rotation: {
            keyId,
            pending: null,
            retired: [...stored.rotation.retired, ...retired],
            since: options.clock.now(),
            isOldKeyUnknown: replaces === null,
          },
        },
  );
  if (next === null) {
    await forget(pending, config, options, signal);
    return null;
  }
  if (replaces === null) {
    options.logger.warn(
      { application },
      'the replaced client secret is not known by its key: remove it by hand',
    );
  }
  options.logger.info({ keyId }, 'the new client secret is in use');
  return next;
}

/** A secret that does not work for an hour never will: without it the configuration can be written again. */
async function giveUpInTime(
  config: CloudConfig,
  pending: PendingSecret,
  options: RotateOptions,
  signal: AbortSignal,
): Promise<CloudConfig | null> {
  const { clock, logger } = options;
  const { since = clock.now() } = config.rotation;
  // A clock that was set back must not keep the configuration closed until it has caught up.
  if (Math.abs(clock.now() - since) < timeoutMs) return config;
  if (!(await forget(pending, config, options, signal))) return config;
  logger.error(
    { keyId: pending.keyId },
    'the new client secret never worked: it was abandoned, and the previous one stays',
  );
  return options.update((stored) => {
    const { keyId, retired } = stored.rotation;
    if (stored.rotation.pending?.keyId !== pending.keyId) return null;
    return { ...stored, rotation: { keyId, retired, pending: null, since: clock.now(), hasFailed: true } };
  });
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
  options.logger.warn({}, 'the new client secret does not work yet: the previous one stays in use');
  return false;
}

/** Removes the keys that were replaced, and no others. */
async function retire(
  config: CloudConfig,
  options: RotateOptions,
  signal: AbortSignal,
): Promise<CloudConfig | null> {
  let current: CloudConfig | null = config;
  for (const { application, keyId } of config.rotation.retired) {
    const effective = effectiveConfig(config, options.environment, options.endpoints);
    const graph = graphWith(effective, config.clientSecret, options);
    try {
      await graph.removePassword(application, keyId, signal);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      options.logger.warn({ reason: error.message }, 'the replaced client secret could not be removed yet');
      continue;
    }
    current = await options.update((stored) => {
      const retired = stored.rotation.retired.filter((other) => other.keyId !== keyId);
      return { ...stored, rotation: { ...stored.rotation, retired, since: options.clock.now() } };
    });
    options.logger.info({ keyId }, 'the replaced client secret was removed');
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
