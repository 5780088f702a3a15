import { accessTokens, type ProviderOptions } from './provider.js';
import { effectiveConfig, type CloudConfig, type EffectiveConfig, type Environment } from './config.js';
import type { PendingSecret } from './config.js';
import type { CloudEndpoints } from '../../cloud/endpoints.js';
import { CloudError } from '../../cloud/cloud-error.js';
import { createDirectoryGraph, type Application, type DirectoryGraph } from '../../cloud/directory-graph.js';
import { pause } from '../../cloud/retry.js';
import { badRequest, SecretsError } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';

export interface RotateOptions extends ProviderOptions {
  readonly environment: Environment;
  readonly endpoints: CloudEndpoints;
  readonly logger: Logger;
  readonly uuid: () => string;
  /**
   * Changes the stored configuration and invalidates everything cached from the old one. Returns null without a change if the
   * configuration is gone, or if `change` returns null because of a concurrent change.
   */
  readonly update: (change: (config: CloudConfig) => CloudConfig | null) => Promise<CloudConfig | null>;
}

/**
 * Delays before retries with a new secret, in ms: propagating it through the directory takes time. Their sum is limited because a
 * caller is waiting.
 */
export const tryPauses: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000, 8_000];
/** Time after which a secret that never worked is abandoned, in ms. */
const timeoutMs = 3_600_000;
/** Lifetime of a secret created by the server, in ms: half a year. */
const secretLifetime = 182.5 * 86_400_000;
/** Prefix of the names of secrets that servers create. */
const namePrefix = 'secrets-';

/**
 * Begins a rotation: adds a secret to the application and stores it as pending. The current secret stays in use.
 *
 * @throws SecretsError `bad-request` if there is no secret to rotate, `cloud-unreachable` if the directory did not add a secret.
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
  const displayName = `${namePrefix}${options.uuid()}`;
  const added = await graph
    .addPassword(application.id, displayName, expires, signal)
    .catch((error: unknown) => warnOfOrphan(error, displayName, options.logger));
  const replaces = current.rotation.keyId ?? keyOf(application, current.clientSecret);
  const pending: PendingSecret = { ...added, application: application.id, replaces };
  const since = options.clock.now();
  const isOldKeyUnknown = replaces === null;
  const unused = unusedKeys(application, current, replaces);
  if (unused.length > 0) options.logger.warn({ keyIds: unused }, unusedWarning);
  const begin = (stored: CloudConfig): CloudConfig | null => {
    const { keyId, retired } = stored.rotation;
    if (!hasSameSecret(stored, current)) return null;
    return { ...stored, rotation: { keyId, retired, pending, since, isOldKeyUnknown, unused } };
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
 * Ends the rotation of a deleted configuration by removing its keys from the directory.
 *
 * @returns warnings about keys that still exist.
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

/**
 * Removes a secret that could not be stored, so that it does not stay valid. Resolves to false if the removal may have failed.
 */
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

/** Rethrows the error of a request for a new secret. If the secret may exist nevertheless, logs its name first. */
function warnOfOrphan(error: unknown, displayName: string, logger: Logger): never {
  if (error instanceof CloudError && error.code !== 'refused') {
    logger.warn({ displayName }, 'a client secret of this name may have been added: remove it by hand');
  }
  throw error;
}

function requireSecret(config: CloudConfig | null): CloudConfig {
  if (config === null) throw badRequest('not configured');
  if (config.identityTokenAudience !== '') {
    throw badRequest('with identity_token_audience there is no client secret to rotate');
  }
  if (config.clientId === '' || config.clientSecret === '') {
    throw badRequest(
      'rotation needs client_id and client_secret in the configuration: one from the environment cannot be replaced',
    );
  }
  return config;
}

/**
 * Returns the key ID of the current secret: the only key, or the only one with its first characters. Null if that is ambiguous,
 * because a wrong key may be in use elsewhere.
 */
function keyOf({ passwords }: Application, secret: string): string | null {
  const [only, ...others] = passwords;
  if (only !== undefined && others.length === 0) return only.keyId;
  const alike = passwords.filter(({ hint }) => hint !== '' && secret.startsWith(hint));
  return alike.length === 1 ? (alike[0]?.keyId ?? null) : null;
}

/**
 * Returns keys of other secrets that a server seems to have created without storing them. They are not removed, because another
 * server may use them.
 */
function unusedKeys(
  { passwords }: Application,
  { rotation, clientSecret }: CloudConfig,
  replaces: string | null,
): readonly string[] {
  const known = new Set([rotation.keyId, replaces, ...rotation.retired.map(({ keyId }) => keyId)]);
  return passwords
    .filter(({ keyId, displayName }) => displayName.startsWith(namePrefix) && !known.has(keyId))
    .filter(({ hint }) => replaces !== null || hint === '' || !clientSecret.startsWith(hint))
    .map(({ keyId }) => keyId);
}

const unusedWarning =
  'the application has client secrets that this server does not use, left by an interrupted rotation or an earlier configuration: remove them unless another server uses them';

/**
 * Continues a rotation: checks whether the new secret works, stores it as the current one, and only then removes the replaced
 * key. The next call continues where this one stops. Returns the resulting configuration.
 *
 * @param pauses delays before further checks whether the secret works, in ms; empty for a single check.
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

/** Whether a rotation has remaining steps. */
export function isRotating({ rotation }: CloudConfig): boolean {
  return rotation.pending !== null || rotation.retired.length > 0;
}

/** Returns warnings about the remaining steps of a rotation. */
export function rotationWarnings({ rotation }: CloudConfig): readonly string[] {
  const { pending, retired, isOldKeyUnknown = false, unused = [] } = rotation;
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
    ...(unused.length === 0 ? [] : [`${unusedWarning}: ${unused.join(', ')}`]),
  ];
}

/** Stores the pending secret as the current one. Resolves to null if the configuration was changed concurrently. */
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
            unused: stored.rotation.unused ?? [],
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

/** Abandons a new secret that has not worked for an hour, so that the configuration can be written again. */
async function giveUpInTime(
  config: CloudConfig,
  pending: PendingSecret,
  options: RotateOptions,
  signal: AbortSignal,
): Promise<CloudConfig | null> {
  const { clock, logger } = options;
  const { since = clock.now() } = config.rotation;
  // The absolute value also covers a clock that was set back: otherwise the configuration would stay locked until it catches up.
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

/** Whether the cloud already issues tokens for a secret. */
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

/** Removes the replaced keys from the directory, and no other keys. */
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
