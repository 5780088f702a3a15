import { requires, type EndpointRow } from '../api/endpoint-table.js';
import { badRequest, SecretsError } from '../base/errors.js';
import type { LeaseLimits } from '../tokens/lease.js';

/** A mount, for clients that list mounts before they log in. */
export interface ListedMount {
  /** Path below `auth/`, such as `cloud`. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

type Listing = Readonly<Record<string, unknown>>;

/** Returns the endpoints that list mounts, below `sys/auth` and `sys/mounts`. */
export function listingRows(mounts: readonly ListedMount[], lease: LeaseLimits): readonly EndpointRow[] {
  const config = { default_lease_ttl: lease.defaultTtl, max_lease_ttl: lease.maxTtl };
  const describe = (type: string, description: string): Listing => ({
    type,
    description,
    accessor: '',
    config,
    local: false,
    seal_wrap: false,
    options: null,
  });
  const methods = mounts.map(({ path, type, description }) => [`${path}/`, describe(type, description)]);
  const tokens = describe('token', 'tokens about themselves and each other');
  const tunes = new Map(
    [...mounts, { path: 'token', description: String(tokens['description']) }].map(
      ({ path, description }) => [
        path,
        { ...config, description, force_no_cache: false, token_type: 'default-service' },
      ],
    ),
  );
  return [
    {
      path: 'auth/:rest/tune',
      operations: {
        read: requires('read', async ({ name }) => {
          const data = tunes.get(name);
          if (data === undefined) throw new SecretsError('not-found', 'no such mount');
          return { kind: 'data', data };
        }),
        write: requires('sudo', () =>
          Promise.reject(
            badRequest(
              'lease times are default_lease_ttl and max_lease_ttl of the configuration file: change them there, and restart',
            ),
          ),
        ),
      },
    },
    listing('auth/?', { ...Object.fromEntries(methods), 'token/': tokens } as Listing),
    listing('mounts/?', { 'sys/': describe('system', 'policies and the state of the server') }),
  ];
}

function listing(path: string, data: Listing): EndpointRow {
  return {
    path,
    operations: { read: requires('read', async () => ({ kind: 'data', data })) },
  };
}
