import type { EndpointRow } from '../api/endpoint-table.js';
import type { LeaseLimits } from '../tokens/lease.js';

/** A mount, for those who look before they ask. */
export interface ListedMount {
  /** Below `auth/`, such as `cloud`. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

type Listing = Readonly<Record<string, unknown>>;

/** The endpoints of `sys/auth` and `sys/mounts`: what is mounted where. */
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
  return [
    listing('auth/?', { ...Object.fromEntries(methods), 'token/': tokens } as Listing),
    listing('mounts/?', { 'sys/': describe('system', 'policies and the state of the server') }),
  ];
}

function listing(path: string, data: Listing): EndpointRow {
  return {
    path,
    operations: { read: { capability: 'read', handle: async () => ({ kind: 'data', data }) } },
  };
}
