import { block, converted, text, type Block, type Fields } from '@tamis/config';
import {
  createEndpoints,
  EndpointError,
  type EndpointOverrides,
  type EnvironmentEndpoints,
} from '../../cloud/endpoints.js';
import { milliseconds } from '../../base/setting-readers.js';
import { defineAuthMethod, type AuthMount } from '../method-type.js';
import { createCloudMethod } from './cloud-method.js';

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

/** The method `cloud`: logs machines in by the identity that their cloud has given them. */
export const cloudMethod = defineAuthMethod({
  name: 'cloud',
  description: 'logs machines in by the identity of their cloud',
  variables: [
    'CLOUD_TENANT_ID',
    'CLOUD_AD_RESOURCE',
    'CLOUD_ENVIRONMENT',
    'CLOUD_CLIENT_ID',
    'CLOUD_CLIENT_SECRET',
  ],
  fields: {
    /** Minimum interval between fetches of a key set, in ms. */
    jwks_cooldown: milliseconds,
    /** Endpoints used instead of the defaults of the cloud. */
    endpoints: converted(block(endpointFields), readEndpoints),
  },
  create: ({ jwks_cooldown: jwksCooldown, endpoints }, context) =>
    createCloudMethod({
      ...context,
      ...(jwksCooldown !== undefined && { jwksCooldown }),
      ...(endpoints !== undefined && { endpoints }),
    }),
});

/** Returns a mount without a configuration file, by default at `auth/cloud`. */
export function cloudMount(
  endpoints?: EndpointOverrides,
  values: Parameters<typeof cloudMethod.mount>[1] = {},
): AuthMount {
  return cloudMethod.mount({ jwks_cooldown: undefined, endpoints }, values);
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
