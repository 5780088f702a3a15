import { mountTable } from '../api/endpoint-table.js';
import type { Mount } from '../api/mount.js';
import type { LeaseLimits } from '../tokens/lease.js';

type Listing = Readonly<Record<string, unknown>>;

/** What is mounted where, for clients that look before they ask: `sys/auth` and `sys/mounts`. */
export function mountListings(cloudPath: string, lease: LeaseLimits): readonly Mount[] {
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
  const methods = {
    [`${cloudPath}/`]: describe('cloud', 'logs machines in by the identity of their cloud'),
    'token/': describe('token', 'tokens about themselves and each other'),
  };
  const others = { 'sys/': describe('system', 'policies and the state of the server') };
  return [listing('sys/auth', methods), listing('sys/mounts', others)];
}

function listing(path: string, data: Listing): Mount {
  return mountTable(path, {
    '/?': { read: { capability: 'read', handle: async () => ({ kind: 'data', data }) } },
  });
}
