import { isLoopbackAddress } from '@tamis/http';

/** The addresses of one cloud. Each is an origin with an optional path. */
export interface EnvironmentEndpoints {
  /** Address of discovery documents, key sets and access tokens. */
  readonly authority: string;
  /** Address of the resource manager: virtual machines, scale sets and other resources. */
  readonly resourceManager: string;
  /** Audience of access tokens for the resource manager. */
  readonly resourceManagerAudience: string;
  /** Address of the directory with the server's own application and its secrets. */
  readonly graph: string;
}

/** Addresses from the configuration file. Missing ones keep their defaults. */
export interface EndpointOverrides {
  /** Addresses by the name of the environment, in any case. */
  readonly environments?: ReadonlyMap<string, Partial<EnvironmentEndpoints>>;
  /** The address at which a machine requests its own identity. */
  readonly metadata?: string;
}

export type CloudEndpoints = ReturnType<typeof createEndpoints>;

/** Default environment. */
export const defaultEnvironment = 'CloudPublicCloud';

const known: ReadonlyMap<string, EnvironmentEndpoints | null> = new Map([
  [
    defaultEnvironment,
    {
      authority: 'https://login.microsoftonline.com',
      resourceManager: 'https://management.azure.com',
      resourceManagerAudience: 'https://management.azure.com',
      graph: 'https://graph.microsoft.com',
    },
  ],
  [
    'CloudUSGovernmentCloud',
    {
      authority: 'https://login.microsoftonline.us',
      resourceManager: 'https://management.usgovcloudapi.net',
      resourceManagerAudience: 'https://management.core.usgovcloudapi.net',
      graph: 'https://graph.microsoft.us',
    },
  ],
  [
    'CloudChinaCloud',
    {
      authority: 'https://login.chinacloudapi.cn',
      resourceManager: 'https://management.chinacloudapi.cn',
      resourceManagerAudience: 'https://management.core.chinacloudapi.cn',
      graph: 'https://microsoftgraph.chinacloudapi.cn',
    },
  ],
  // Closed in 2021. The name is still valid, but the operator must configure the addresses.
  ['CloudGermanCloud', null],
]);

/** Names of all environments, for messages. */
export const environmentNames: readonly string[] = [...known.keys()];

/** Address of the instance metadata service: link-local, so that requests without TLS do not leave the host. */
const defaultMetadata = 'http://169.254.169.254';

/** Error for an invalid address in the configuration. The message contains the address and the reason. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
}

/**
 * Returns the addresses of the clouds.
 *
 * @throws EndpointError for an unknown environment, an invalid URL, or an address that would send credentials to another host
 * without TLS.
 */
export function createEndpoints(overrides: EndpointOverrides = {}) {
  const table = new Map([...known].map(([name, endpoints]) => [name.toLowerCase(), endpoints]));
  for (const [name, changed] of overrides.environments ?? []) {
    const key = name.toLowerCase();
    const base = table.get(key);
    if (base === undefined) {
      throw new EndpointError(`unknown cloud environment; the names are ${environmentNames.join(', ')}`);
    }
    table.set(key, mergeEndpoints(name, base, changed));
  }
  const metadata = overrides.metadata ?? defaultMetadata;
  if (metadata !== defaultMetadata) checkAddress('metadata', metadata);
  return {
    /**
     * Returns the endpoints of an environment by its name, ignoring case. `no-endpoints` if they must be configured; null for an
     * unknown name.
     */
    find: (name: string): EnvironmentEndpoints | 'no-endpoints' | null => {
      const endpoints = table.get(name.toLowerCase());
      return endpoints === null ? 'no-endpoints' : (endpoints ?? null);
    },
    metadata,
  };
}

function mergeEndpoints(
  name: string,
  base: EnvironmentEndpoints | null,
  changed: Partial<EnvironmentEndpoints>,
): EnvironmentEndpoints | null {
  const authority = changed.authority ?? base?.authority;
  const resourceManager = changed.resourceManager ?? base?.resourceManager;
  const graph = changed.graph ?? base?.graph;
  if (authority === undefined || resourceManager === undefined || graph === undefined) {
    throw new EndpointError(
      `${name} has no endpoints: authority, resource_manager and graph must all be given`,
    );
  }
  const merged = {
    authority,
    resourceManager,
    // If all addresses of a cloud are configured, the address of the resource manager is also its audience.
    resourceManagerAudience:
      changed.resourceManagerAudience ?? base?.resourceManagerAudience ?? resourceManager,
    graph,
  };
  checkAddress(`authority of ${name}`, authority);
  checkAddress(`resource_manager of ${name}`, resourceManager);
  checkAddress(`graph of ${name}`, graph);
  return merged;
}

function checkAddress(what: string, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new EndpointError(`the ${what} must be a URL without query, fragment and user`);
  }
  if (!isTrustedAddress(url)) {
    throw new EndpointError(`the ${what} must begin with https://; http:// is for loopback hosts alone`);
  }
}

/** Whether a secret may be sent to an address: it uses TLS, or is on this host. */
export function isTrustedAddress(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackAddress(host));
}
