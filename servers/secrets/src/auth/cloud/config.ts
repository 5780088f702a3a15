import { defaultEnvironment, environmentNames, type CloudEndpoints } from '../../cloud/endpoints.js';
import type { EnvironmentEndpoints } from '../../cloud/endpoints.js';
import type { RetryPolicy } from '../../cloud/retry.js';
import { badRequest } from '../../base/errors.js';
import {
  count,
  duration,
  readFields,
  signedDuration,
  text,
  unknownFields,
  type FieldValues,
} from '../../fields/fields.js';
import { storedObject } from '../../fields/stored-object.js';

const settings = storedObject({
  tenantId: ['tenant_id', text, ''],
  resource: ['resource', text, ''],
  environment: ['environment', text, ''],
  clientId: ['client_id', text, ''],
  clientSecret: ['client_secret', text, ''],
  identityTokenAudience: ['identity_token_audience', text, ''],
  identityTokenTtl: ['identity_token_ttl', duration, 3_600],
  maxRetries: ['max_retries', count, 3],
  retryDelay: ['retry_delay', signedDuration, 4],
  maxRetryDelay: ['max_retry_delay', signedDuration, 60],
});

/** The configuration as stored by an operator. Empty strings mean unset; durations are in seconds. */
export type CloudConfig = typeof settings.initial & {
  /** Whether this server created the secret. It never returns such a secret to clients. */
  readonly secretIsRotated: boolean;
  readonly rotation: Rotation;
};

/** Progress of a rotation of the client secret. Each step is stored before the next begins. */
export interface Rotation {
  /** Key ID of the current secret, if the server created it. */
  readonly keyId: string | null;
  /** A created secret that has not yet been confirmed to work. */
  readonly pending: PendingSecret | null;
  /** Replaced keys to be removed from the application. */
  readonly retired: readonly RetiredKey[];
  /** Time of the last step, in ms since 1970; missing before the first rotation. */
  readonly since?: number;
  /** Whether the last replaced key could not be identified, so that it still exists. */
  readonly isOldKeyUnknown?: boolean;
  /** IDs of keys that an interrupted rotation seems to have added. */
  readonly unused?: readonly string[];
  /** Whether the last new secret never worked, so that it was abandoned. */
  readonly hasFailed?: boolean;
}

export interface PendingSecret {
  readonly secret: string;
  readonly keyId: string;
  readonly application: string;
  /** The key that the new one replaces; null if unknown. */
  readonly replaces: string | null;
}

export interface RetiredKey {
  readonly keyId: string;
  readonly application: string;
}

/** The configuration used for logins. Unset fields come from the environment of the process. */
export interface EffectiveConfig {
  readonly tenantId: string;
  readonly resource: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly identityTokenAudience: string;
  readonly retry: RetryPolicy;
  readonly endpoints: EnvironmentEndpoints;
}

/** The environment variables that are fallbacks for fields: `CLOUD_TENANT_ID` and the like. */
export type Environment = Readonly<Record<string, string | undefined>>;

const noRotation: Rotation = { keyId: null, pending: null, retired: [] };

export const emptyConfig: CloudConfig = Object.freeze({
  ...settings.initial,
  secretIsRotated: false,
  rotation: noRotation,
});

/**
 * Returns the configuration after a write. Fields that were not sent keep their value.
 *
 * @throws SecretsError `bad-request` if a value is invalid, or if both secret and federation would be set.
 */
export function mergeConfig(
  stored: CloudConfig | null,
  body: Readonly<Record<string, unknown>>,
): CloudConfig {
  const { values } = readFields(settings.fields, body);
  const base = stored ?? emptyConfig;
  const merged: CloudConfig = {
    ...settings.merge(base, values),
    secretIsRotated: values.client_secret === undefined && base.secretIsRotated,
    // A change of the secret or the application ends a rotation, because its pending secret belongs to the old values.
    rotation: isOtherSecret(values, base) ? noRotation : base.rotation,
  };
  if (merged.clientSecret !== '' && merged.identityTokenAudience !== '') {
    throw badRequest(
      'client_secret and identity_token_audience exclude each other: set one, or clear the other with ""',
    );
  }
  return merged;
}

/** Returns the unknown fields of a configuration body. */
export const unknownInConfig = (body: Readonly<Record<string, unknown>>): readonly string[] =>
  unknownFields(settings.fields, body);

function isOtherSecret(values: FieldValues<typeof settings.fields>['values'], base: CloudConfig): boolean {
  if (values.client_secret !== undefined) return true;
  return (
    (values.client_id ?? base.clientId) !== base.clientId ||
    (values.tenant_id ?? base.tenantId) !== base.tenantId
  );
}

const tenantForm = /^[A-Za-z0-9.-]{1,253}$/;
/** Authorities that sign in users of every tenant: tokens of any user would be accepted. */
const sharedTenants: ReadonlySet<string> = new Set(['.', '..', 'common', 'organizations', 'consumers']);

/**
 * Returns the checked effective configuration. The tenant becomes part of URLs, so its format is strict.
 *
 * @throws SecretsError `bad-request` if a value is missing or invalid.
 */
export function effectiveConfig(
  config: CloudConfig,
  environment: Environment,
  endpoints: CloudEndpoints,
): EffectiveConfig {
  const tenantId = pick(config.tenantId, environment, 'CLOUD_TENANT_ID');
  const resource = pick(config.resource, environment, 'CLOUD_AD_RESOURCE');
  if (tenantId === '') throw badRequest('tenant_id is required');
  if (resource === '') throw badRequest('resource is required');
  if (!tenantForm.test(tenantId) || sharedTenants.has(tenantId.toLowerCase())) {
    throw badRequest('tenant_id must be the id or the domain of one tenant');
  }
  return {
    tenantId,
    resource,
    clientId: pick(config.clientId, environment, 'CLOUD_CLIENT_ID'),
    clientSecret: pick(config.clientSecret, environment, 'CLOUD_CLIENT_SECRET'),
    identityTokenAudience: config.identityTokenAudience,
    retry: {
      maxRetries: config.maxRetries,
      retryDelay: config.retryDelay,
      maxRetryDelay: config.maxRetryDelay,
    },
    endpoints: findEndpoints(pick(config.environment, environment, 'CLOUD_ENVIRONMENT'), endpoints),
  };
}

/** Whether logins are configured, in the store or by the environment. */
export function isConfigured(config: CloudConfig | null, environment: Environment): boolean {
  const { tenantId, resource } = config ?? emptyConfig;
  return (
    pick(tenantId, environment, 'CLOUD_TENANT_ID') !== '' &&
    pick(resource, environment, 'CLOUD_AD_RESOURCE') !== ''
  );
}

function findEndpoints(name: string, endpoints: CloudEndpoints): EnvironmentEndpoints {
  const found = endpoints.find(name === '' ? defaultEnvironment : name);
  if (found === null) throw badRequest(`environment must be one of ${environmentNames.join(', ')}`);
  if (found === 'no-endpoints') {
    throw badRequest('this environment has no endpoints in the configuration of the server');
  }
  return found;
}

function pick(configured: string, environment: Environment, variable: string): string {
  return configured === '' ? (environment[variable] ?? '') : configured;
}

/** Whether a new secret has not yet been confirmed to work. */
export function isUnproven(config: CloudConfig | null): boolean {
  return config !== null && config.rotation.pending !== null;
}

/** Whether a write changes the secret or its application. */
export function changesSecret(config: CloudConfig, body: Readonly<Record<string, unknown>>): boolean {
  return isOtherSecret(readFields(settings.fields, body).values, config);
}

/** Returns the state of the last rotation of the client secret. */
function rotationData({ rotation }: CloudConfig): Readonly<Record<string, unknown>> {
  const { keyId, pending, retired, since, isOldKeyUnknown = false, hasFailed = false } = rotation;
  const state =
    pending !== null
      ? 'unproven'
      : hasFailed
        ? 'failed'
        : retired.length > 0
          ? 'removing_old_key'
          : keyId === null
            ? 'none'
            : 'done';
  return {
    state,
    since: since === undefined ? null : new Date(since).toISOString(),
    old_key_removed: state === 'none' ? null : state === 'done' && !isOldKeyUnknown,
  };
}

/** Returns the fields of the configuration as they were set, including credentials. */
export function configData(config: CloudConfig): Readonly<Record<string, unknown>> {
  const { client_secret, ...data } = settings.data(config);
  return {
    ...data,
    ...(config.secretIsRotated ? {} : { client_secret }),
    max_retry_delay: `${config.maxRetryDelay}s`,
    retry_delay: `${config.retryDelay}s`,
    rotation: rotationData(config),
  };
}
