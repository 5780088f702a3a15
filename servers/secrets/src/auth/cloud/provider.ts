import { createAccessTokens, type AccessTokens, type Credentials } from '../../cloud/access-token.js';
import { createIssuer, type Issuer } from '../../cloud/issuer.js';
import { createResourceManager, type ResourceManager } from '../../cloud/resource-manager.js';
import { createRetrySend } from '../../cloud/retry.js';
import type { Send } from '../../cloud/transport.js';
import type { Clock } from '../../base/clock.js';
import type { EffectiveConfig } from './config.js';

/** The cloud clients of one configuration, with all state cached between logins. */
export interface Provider {
  readonly config: EffectiveConfig;
  readonly issuer: Issuer;
  readonly resources: ResourceManager;
}

export interface ProviderOptions {
  readonly send: Send;
  readonly clock: Clock;
  readonly random: () => number;
  readonly metadata: string;
  /** In ms; see `IssuerOptions`. */
  readonly jwksCooldown: number;
}

export function createProvider(config: EffectiveConfig, options: ProviderOptions): Provider {
  const { send, clock, random, jwksCooldown } = options;
  const { endpoints, tenantId } = config;
  return {
    config,
    issuer: createIssuer({
      send,
      clock,
      authority: endpoints.authority,
      tenant: tenantId,
      cooldown: jwksCooldown,
    }),
    resources: createResourceManager({
      send: createRetrySend({ send, clock, random, policy: config.retry }),
      tokens: accessTokens(config, credentialsOf(config), options),
      endpoints,
    }),
  };
}

/** Creates an empty cache of access tokens for a set of credentials. */
export function accessTokens(
  { endpoints, tenantId }: EffectiveConfig,
  credentials: Credentials,
  { send, clock, metadata }: Pick<ProviderOptions, 'send' | 'clock' | 'metadata'>,
): AccessTokens {
  return createAccessTokens({
    send,
    clock,
    authority: endpoints.authority,
    tenant: tenantId,
    metadata,
    credentials,
  });
}

function credentialsOf({ clientId, clientSecret, identityTokenAudience }: EffectiveConfig): Credentials {
  if (identityTokenAudience !== '') return { kind: 'unsupported' };
  if (clientSecret !== '' && clientId !== '') return { kind: 'client-secret', clientId, clientSecret };
  return { kind: 'managed-identity', clientId };
}
