import { block, converted, int, text, type Block, type Fields, type Reader } from '@tamis/config';
import { defaultLoginLimits } from '../auth/login-limits.js';
import {
  createEndpoints,
  EndpointError,
  type EndpointOverrides,
  type EnvironmentEndpoints,
} from '../cloud/endpoints.js';
import { defaultServerConfig, type CloudMountConfig } from '../server-config.js';
import { milliseconds } from './readers.js';

const environment = block({
  authority: text(),
  resource_manager: text(),
  resource_manager_audience: text(),
  graph: text(),
});

const endpointFields = {
  metadata: text(),
  CloudPublicCloud: environment,
  CloudUSGovernmentCloud: environment,
  CloudChinaCloud: environment,
  CloudGermanCloud: environment,
} satisfies Fields;

const fields = {
  path: converted(text(), readMountPath),
  jwks_cooldown: milliseconds,
  endpoints: converted(block(endpointFields), readEndpoints),
  login_rate: int({ min: 1, max: 1_000_000 }),
  login_burst: int({ min: 1, max: 1_000_000 }),
  login_concurrency: int({ min: 1, max: 100_000 }),
  login_concurrency_per_client: int({ min: 1, max: 100_000 }),
  max_tokens_per_identity: int({ min: 0, max: 1_000_000 }),
} satisfies Fields;

/** An `auth "cloud"` block: where the method is mounted, and which addresses it asks. */
export const cloudSettings: Reader<CloudMountConfig> = converted(block(fields), (values) => {
  const { cloud } = defaultServerConfig;
  const limits = defaultLoginLimits;
  return {
    path: values.path ?? cloud.path,
    endpoints: values.endpoints ?? cloud.endpoints,
    jwksCooldown: values.jwks_cooldown ?? cloud.jwksCooldown,
    login: {
      ...limits,
      perSecond: values.login_rate ?? limits.perSecond,
      burst: values.login_burst ?? limits.burst,
      concurrent: values.login_concurrency ?? limits.concurrent,
      concurrentPerPeer: values.login_concurrency_per_client ?? limits.concurrentPerPeer,
    },
    maxTokensPerIdentity: values.max_tokens_per_identity ?? cloud.maxTokensPerIdentity,
  };
});

function readMountPath(written: string, refuse: (problem: string) => never): string {
  const path = written.replace(/^\/?(?:auth\/)?/, '').replace(/\/$/, '');
  if (!/^[\w-]+(?:\/[\w-]+)*$/.test(path)) return refuse('expected a path such as "cloud" or "team/cloud"');
  return /^token(?:\/|$)/.test(path) ? refuse('auth/token is the place of tokens') : path;
}

function readEndpoints(
  { metadata, ...environments }: Block<typeof endpointFields>,
  refuse: (problem: string) => never,
): EndpointOverrides {
  const named = Object.entries(environments).flatMap(([name, values]) =>
    values === undefined ? [] : [[name, readEnvironment(values)] as const],
  );
  const overrides = { environments: new Map(named), ...(metadata !== undefined && { metadata }) };
  try {
    createEndpoints(overrides);
    return overrides;
  } catch (error) {
    if (error instanceof EndpointError) return refuse(error.message);
    throw error;
  }
}

function readEnvironment(
  values: NonNullable<Block<typeof endpointFields>['CloudPublicCloud']>,
): Partial<EnvironmentEndpoints> {
  const { authority, resource_manager, resource_manager_audience, graph } = values;
  return {
    ...(authority !== undefined && { authority }),
    ...(resource_manager !== undefined && { resourceManager: resource_manager }),
    ...(resource_manager_audience !== undefined && { resourceManagerAudience: resource_manager_audience }),
    ...(graph !== undefined && { graph }),
  };
}
