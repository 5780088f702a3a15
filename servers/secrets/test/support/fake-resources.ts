import type { Call, Reply } from './fake-cloud.js';
import type { FakeApplication } from './fake-issuer.js';

export const principal = '44444444-4444-4444-8444-444444444444';
export const application = '55555555-5555-4555-8555-555555555555';
export const group = '66666666-6666-4666-8666-666666666666';
const subscription = '22222222-2222-4222-8222-222222222222';
const tenant = '11111111-1111-4111-8111-111111111111';

/** The properties of one resource in the resource manager. */
export interface FakeResource {
  readonly location?: string;
  readonly identity?: {
    readonly principalId?: string;
    readonly userAssignedIdentities?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** The resources of the fake cloud, by their id. At first `vm1` and `vmss1` in `rg1`, both of one principal. */
export interface FakeResources {
  put(id: string, resource: FakeResource): void;
  remove(id: string): void;
  /** Claims of the principal of `vm1`, without issuer, audience and times. */
  readonly goodClaims: Readonly<Record<string, unknown>>;
  /** The applications that can request tokens from the issuer of a tenant. */
  applications(tenant: string): readonly FakeApplication[];
  /** Versions that the provider lists for a type, such as `Microsoft.Web/sites`. */
  versions(type: string, versions: readonly string[]): void;
  /** Handles a call below `base`, the address of the resource manager. */
  response(call: Call, base: string): Reply;
}

/** The id of something in `rg1`, or in another group. */
export function resourceId(type: string, name: string, inGroup = 'rg1'): string {
  return `/subscriptions/${subscription}/resourceGroups/${inGroup}/providers/${type}/${name}`;
}

export const machines = 'Microsoft.Compute/virtualMachines';
export const scaleSets = 'Microsoft.Compute/virtualMachineScaleSets';
export const identities = 'Microsoft.ManagedIdentity/userAssignedIdentities';

export function createFakeResources(): FakeResources {
  const table = new Map<string, FakeResource>();
  const versions = new Map<string, readonly string[]>();
  const put = (id: string, resource: FakeResource): void => void table.set(id.toLowerCase(), resource);
  put(resourceId(machines, 'vm1'), { location: 'eastus', identity: { principalId: principal } });
  put(resourceId(scaleSets, 'vmss1'), { location: 'eastus', identity: { principalId: principal } });
  const goodClaims = {
    tid: tenant,
    oid: principal,
    appid: application,
    groups: [group],
    xms_mirid: resourceId(machines, 'vm1').replace('resourceGroups', 'resourcegroups'),
  };

  /** One identity a page: a client that wants them all must follow the links. */
  const listIdentities = (path: string, { query }: Call, base: string): Reply => {
    const ids = [...table.keys()].filter((id) => id.startsWith(`${path}/`));
    const page = Number(query.get('page') ?? 0);
    const value = ids.slice(page, page + 1).map((id) => ({ id, ...table.get(id) }));
    const nextLink = `${base}${path}?api-version=2023-01-31&page=${String(page + 1)}`;
    return { status: 200, body: { value, ...(page + 1 < ids.length ? { nextLink } : {}) } };
  };

  return {
    put,
    remove: (id) => void table.delete(id.toLowerCase()),
    goodClaims,
    applications: () => [{ clientId: application, clientSecret: 'held-by-the-machine', claims: goodClaims }],
    versions: (type, listed) => void versions.set(type.toLowerCase(), listed),
    response(call, base) {
      const id = decodeURIComponent(call.path.slice('/arm'.length)).toLowerCase();
      const namespace = /^\/subscriptions\/[^/]+\/providers\/([^/]+)$/.exec(id)?.[1];
      if (namespace !== undefined) {
        const types = [...versions].filter(([type]) => type.startsWith(`${namespace}/`));
        const resourceTypes = types.map(([type, apiVersions]) => {
          return { resourceType: type.slice(namespace.length + 1), apiVersions };
        });
        return { status: 200, body: { namespace, resourceTypes } };
      }
      if (id.endsWith('/userassignedidentities')) return listIdentities(id, call, base);
      const found = table.get(id);
      return found === undefined
        ? { status: 404, body: { error: { code: 'NotFound' } } }
        : { status: 200, body: found };
    },
  };
}
