import { CloudError } from '../../cloud/cloud-error.js';
import { createEndpoints, type EndpointOverrides } from '../../cloud/endpoints.js';
import { createTransport, type TransportLimits } from '../../cloud/transport.js';
import type { Clock } from '../../base/clock.js';
import type { EndpointResult } from '../../api/endpoint-result.js';
import { requires, type EndpointRow } from '../../api/endpoint-table.js';
import { SecretsError } from '../../base/errors.js';
import { isFieldName, warnOfUnknown } from '../../fields/fields.js';
import { foldName } from '../../base/fold.js';
import { createLocks } from '../../base/locks.js';
import type { Logger } from '../../base/logger.js';
import type { Storage } from '../../storage/storage.js';
import type { AuthMethod, MethodCall, MethodEndpoint } from '../method.js';
import { isRoleName } from '../role-name.js';
import { tokenWarnings } from '../role-tokens.js';
import { createConfigManager, type ConfigManager } from './config-manager.js';
import { configData, unknownInConfig, type Environment } from './config.js';
import { logIn, toSecretsError } from './login.js';
import type { ProviderOptions } from './provider.js';
import { createRepository, type Repository } from './repository.js';
import { mergeRole, roleData, unknownInRole } from './role.js';

export interface CloudMethodOptions {
  /** Storage of this mount only. */
  readonly storage: Storage;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** The `CLOUD_*` variables of the process. */
  readonly environment: Environment;
  readonly endpoints?: EndpointOverrides;
  /** Minimum interval between fetches of the key set for unknown keys, in ms. */
  readonly jwksCooldown?: number;
  readonly logger: Logger;
  /** Returns a uniform random number in [0, 1). Spreads the delays before retries. */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Timeout for one login including its requests to the cloud, in ms. */
  readonly loginDeadline?: number;
  /** Maximum token lifetime of the system, in seconds. */
  readonly maxLeaseSeconds?: number;
  /** Revokes the batch tokens of a removed role. */
  readonly endRole?: (role: string) => Promise<void>;
  readonly transportLimits?: TransportLimits;
}

const defaults = {
  jwksCooldown: 30_000,
  loginDeadline: 60_000,
  /** 768 hours, in seconds. */
  maxLeaseSeconds: 2_764_800,
};

/**
 * Creates an auth method that logs machines in by their cloud identity.
 *
 * @throws EndpointError if an endpoint cannot be used.
 */
export function createCloudMethod(options: CloudMethodOptions): AuthMethod {
  const { storage, clock, environment, logger } = options;
  const repository = createRepository(storage);
  const endpoints = createEndpoints(options.endpoints);
  const cloud: ProviderOptions = {
    send: createTransport({
      fetch: options.fetch,
      clock,
      ...(options.transportLimits === undefined ? {} : { limits: options.transportLimits }),
    }),
    clock,
    random: options.random,
    metadata: endpoints.metadata,
    jwksCooldown: options.jwksCooldown ?? defaults.jwksCooldown,
  };
  const configs = createConfigManager({
    ...cloud,
    repository,
    environment,
    endpoints,
    logger,
    uuid: options.uuid,
  });
  const maxLeaseSeconds = options.maxLeaseSeconds ?? defaults.maxLeaseSeconds;
  const deadline = options.loginDeadline ?? defaults.loginDeadline;
  const login = { repository, provider: configs.provider, clock, deadline };
  return {
    rows: [
      { path: 'login', operations: { write: { logIn: (call) => logIn(call, login) } } },
      ...configRows(repository, configs, logger),
      ...roleRows({
        ...{ repository, maxLeaseSeconds, logger },
        endRole: options.endRole ?? (async () => undefined),
      }),
    ],
    renew: async (role) => (await repository.role(role))?.token ?? null,
    close: () => configs.close(),
  };
}

type Row = EndpointRow<MethodEndpoint>;

function warned(warnings: readonly string[]): EndpointResult | void {
  return warnings.length === 0 ? undefined : { kind: 'warnings', warnings };
}

/** Logs unknown fields for the operator: a write returns 204, which cannot carry warnings. */
function logUnknown(logger: Logger, { id, path }: MethodCall['request'], unknown: readonly string[]): void {
  const redacted = unknown.map((name) => (isFieldName(name) ? name : '(hidden)'));
  for (const warning of warnOfUnknown(redacted)) logger.warn({ request_id: id, path }, warning);
}

function configRows(repository: Repository, configs: ConfigManager, logger: Logger): readonly Row[] {
  const config: Row['operations'] = {
    read: requires('read', async () => {
      const stored = await repository.config();
      if (stored === null) throw new SecretsError('not-found', '');
      return { kind: 'data', data: configData(stored) };
    }),
    write: requires(
      async () => ((await repository.config()) === null ? 'create' : 'update'),
      async ({ body, request }) => {
        await configs.write(body);
        logUnknown(logger, request, unknownInConfig(body));
      },
    ),
    delete: requires('delete', async () => warned(await configs.delete())),
  };
  const rotate = async (): Promise<EndpointResult | void> =>
    warned(await configs.rotate().catch(throwAsSecretsError));
  return [
    { path: 'config', operations: config },
    { path: 'rotate-root', operations: { write: requires('update', rotate) } },
  ];
}

interface RoleRowsOptions {
  readonly repository: Repository;
  readonly maxLeaseSeconds: number;
  readonly endRole: (role: string) => Promise<void>;
  readonly logger: Logger;
}

function roleRows({ repository, maxLeaseSeconds, endRole, logger }: RoleRowsOptions): readonly Row[] {
  /** Locks by role, so that no other write occurs between the read and the write of an update. */
  const locked = createLocks();
  const write = async ({ name, body, request }: MethodCall): Promise<EndpointResult | void> => {
    const role = mergeRole(await repository.role(name), body, maxLeaseSeconds);
    await repository.saveRole(name, role);
    const unknown = unknownInRole(body);
    logUnknown(logger, request, unknown);
    const warnings = tokenWarnings(role, maxLeaseSeconds);
    return warned(warnings.length === 0 ? [] : [...warnings, ...warnOfUnknown(unknown)]);
  };
  const operations: Row['operations'] = {
    read: requires('read', async ({ name }) => {
      const role = await repository.role(name);
      if (role === null) throw new SecretsError('not-found', '');
      return { kind: 'data', data: roleData(role) };
    }),
    write: requires(
      async (name) => ((await repository.role(name)) === null ? 'create' : 'update'),
      (call) => locked(foldName(call.name), () => write(call)),
    ),
    delete: requires('delete', ({ name }) =>
      locked(foldName(name), async () => {
        await repository.saveRole(name, null);
        // Done even if the role does not exist: an earlier removal may have been interrupted before this step.
        await endRole(name);
      }),
    ),
  };
  const list = async (): Promise<EndpointResult> => ({ kind: 'keys', keys: await repository.roleNames() });
  return [
    { path: 'role/?', operations: { list: requires('list', list) } },
    { path: 'role/:name', isName: isRoleName, operations },
  ];
}

function throwAsSecretsError(error: unknown): never {
  if (!(error instanceof CloudError)) throw error;
  if (error.code !== 'refused') throw toSecretsError(error);
  const message = 'the directory refused to rotate the secret: see the log of the server';
  throw new SecretsError('cloud-unreachable', message, error.message);
}
