import { CloudError } from '../../cloud/cloud-error.js';
import { createEndpoints, type EndpointOverrides } from '../../cloud/endpoints.js';
import { createTransport, type TransportLimits } from '../../cloud/transport.js';
import type { Clock } from '../../clock.js';
import { SecretsError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { Storage } from '../../storage/storage.js';
import type { AuthMethod, MethodRequest, MethodResponse, MethodRoute } from '../method.js';
import { createConfigManager, type ConfigManager } from './config-manager.js';
import { configData, type Environment } from './config.js';
import { logIn, toSecretsError, type LoginOptions } from './login.js';
import { needOf, roleName } from './paths.js';
import type { ProviderOptions } from './provider.js';
import { createRepository, type Repository } from './repository.js';
import { createQueue, type Queue } from './queue.js';
import { mergeRole, roleData } from './role.js';

export interface CloudMethodOptions {
  readonly storage: Storage;
  /** Where the entries of this mount begin. */
  readonly prefix?: string;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** The `CLOUD_*` variables of the process. */
  readonly environment: Environment;
  readonly endpoints?: EndpointOverrides;
  /** Milliseconds between two fetches of the key set that unknown keys ask for. */
  readonly jwksCooldown?: number;
  readonly logger: Logger;
  /** Uniform in [0, 1): spreads the delays before retries. */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Milliseconds for one login with all that it waits for. */
  readonly loginDeadline?: number;
  /** Seconds that the system lets a token live at most. */
  readonly longestLease?: number;
  readonly transportLimits?: TransportLimits;
}

const defaults = {
  prefix: 'auth/cloud/',
  jwksCooldown: 30_000,
  loginDeadline: 60_000,
  /** 768 hours. */
  longestLease: 2_764_800,
};

/**
 * Logs machines in by the identity that their cloud has given them.
 *
 * @throws EndpointError when an endpoint cannot be used.
 */
export function createCloudMethod(options: CloudMethodOptions): AuthMethod {
  const { storage, clock, environment, logger } = options;
  const repository = createRepository(storage, options.prefix ?? defaults.prefix);
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
  const parts: Parts = {
    repository,
    configs,
    roles: createQueue(),
    longestLease: options.longestLease ?? defaults.longestLease,
    login: {
      repository,
      provider: configs.provider,
      clock,
      deadline: options.loginDeadline ?? defaults.loginDeadline,
    },
  };
  return {
    route: (request) => findRoute(request, repository),
    handle: (request) => handle(request, parts),
    renew: async (role) => (await repository.role(role))?.token ?? null,
    close: () => configs.close(),
  };
}

/** What requests are handled with. */
interface Parts {
  readonly repository: Repository;
  readonly configs: ConfigManager;
  /** Changes of roles come one after another. */
  readonly roles: Queue;
  readonly longestLease: number;
  readonly login: LoginOptions;
}

async function findRoute(
  { operation, path }: Pick<MethodRequest, 'operation' | 'path'>,
  repository: Repository,
): Promise<MethodRoute> {
  const need = needOf(operation, path);
  if (need !== 'create-or-update') return { capability: need };
  const stored = path === 'config' ? await repository.config() : await repository.role(roleName(path));
  return { capability: stored === null ? 'create' : 'update' };
}

async function handle(request: MethodRequest, parts: Parts): Promise<MethodResponse> {
  const { repository, configs, roles, longestLease, login } = parts;
  const { operation, path } = request;
  needOf(operation, path);
  switch (path) {
    case 'login':
      return { kind: 'login', ...(await logIn(request, login)) };
    case 'config':
      return handleConfig(request, repository, configs);
    case 'rotate-root':
      return rotated(await configs.rotate().catch(throwAsSecretsError));
    case 'role':
    case 'role/':
      return { kind: 'data', data: { keys: await repository.roleNames() } };
    default:
      return roles(() => handleRole(request, repository, longestLease));
  }
}

async function handleConfig(
  { operation, body }: MethodRequest,
  repository: Repository,
  configs: ConfigManager,
): Promise<MethodResponse> {
  if (operation === 'read') {
    const config = await repository.config();
    if (config === null) throw new SecretsError('not-found', '');
    return { kind: 'data', data: configData(config) };
  }
  await (operation === 'write' ? configs.write(body) : configs.delete());
  return { kind: 'done' };
}

async function handleRole(
  { operation, path, body }: MethodRequest,
  repository: Repository,
  longestLease: number,
): Promise<MethodResponse> {
  const name = roleName(path);
  if (operation === 'delete') {
    await repository.saveRole(name, null);
    return { kind: 'done' };
  }
  const stored = await repository.role(name);
  if (operation === 'read') {
    if (stored === null) throw new SecretsError('not-found', '');
    return { kind: 'data', data: roleData(stored) };
  }
  const role = mergeRole(stored, body, longestLease);
  await repository.saveRole(name, role);
  if (role.token.maxTtl <= longestLease) return { kind: 'done' };
  const warning = `token_max_ttl is greater than the longest lease of the server: tokens live ${String(longestLease)} seconds at most`;
  return { kind: 'warnings', warnings: [warning] };
}

function rotated(warnings: readonly string[]): MethodResponse {
  return warnings.length === 0 ? { kind: 'done' } : { kind: 'warnings', warnings };
}

function throwAsSecretsError(error: unknown): never {
  if (!(error instanceof CloudError)) throw error;
  if (error.code !== 'refused') throw toSecretsError(error);
  const message = 'the directory refused to rotate the secret: see the log of the server';
  throw new SecretsError('cloud-unreachable', message, error.message);
}
