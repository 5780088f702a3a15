import type { AccessTokens } from './access-token.js';
import { CloudError } from './cloud-error.js';
import {
  buildUrl,
  get,
  readObject,
  recordField,
  recordsField,
  textField,
  withBearer,
} from './cloud-request.js';
import type { CloudResponse, CloudRequest } from './cloud-request.js';
import type { EnvironmentEndpoints } from './endpoints.js';
import { parseResourceId, sameName, segmentsOf, typeOf, type ResourceId } from './resource-id.js';
import type { Send } from './transport.js';

/** A machine, a scale set or another resource, as far as a login needs it. */
export interface Resource {
  /** Null if the response has no location. */
  readonly location: string | null;
  /** Null if the resource has no identity. */
  readonly identity: ResourceIdentity | null;
}

export interface ResourceIdentity {
  /** Principals in the response. */
  readonly principals: readonly string[];
  /** Assigned identities whose principal is not in the response; `identityPrincipal` looks it up. */
  readonly unresolved: readonly ResourceId[];
}

/** Sends requests to the resource manager of one cloud, with the server's own credentials. */
export interface ResourceManager {
  virtualMachine(subscription: string, group: string, name: string, signal: AbortSignal): Promise<Resource>;
  scaleSet(subscription: string, group: string, name: string, signal: AbortSignal): Promise<Resource>;
  resource(id: ResourceId, signal: AbortSignal): Promise<Resource>;
  /** Returns the principal of an assigned identity; null if the response has none. */
  identityPrincipal(id: ResourceId, signal: AbortSignal): Promise<string | null>;
  /** Whether an application is one of the identities of a resource group. */
  hasIdentity(subscription: string, group: string, clientId: string, signal: AbortSignal): Promise<boolean>;
}

export interface ResourceManagerOptions {
  readonly send: Send;
  readonly tokens: AccessTokens;
  readonly endpoints: EnvironmentEndpoints;
}

const compute = 'Microsoft.Compute';
const managedIdentity = 'Microsoft.ManagedIdentity';
const computeVersion = '2024-07-01';
const identityVersion = '2023-01-31';
const providerVersion = '2021-04-01';
/** API version for types that the provider does not list. */
const fallbackVersion = '2022-03-01';
/** Maximum number of pages. Prevents an endless chain of links in responses. */
const maxPages = 50;
/** Maximum number of cached API versions. Prevents invented types from filling memory. */
const maxTypes = 1_000;

function virtualMachineRequest(
  base: string,
  subscription: string,
  group: string,
  name: string,
): CloudRequest {
  const id = { subscription, group, namespace: compute, types: ['virtualMachines'], names: [name] };
  const query = { $expand: 'instanceView', 'api-version': computeVersion };
  return get('the virtual machine', buildUrl(base, segmentsOf(id), query));
}

function scaleSetRequest(base: string, subscription: string, group: string, name: string): CloudRequest {
  const id = { subscription, group, namespace: compute, types: ['virtualMachineScaleSets'], names: [name] };
  return get('the scale set', buildUrl(base, segmentsOf(id), { 'api-version': computeVersion }));
}

function identityRequest(base: string, id: ResourceId): CloudRequest {
  return get('the assigned identity', buildUrl(base, segmentsOf(id), { 'api-version': identityVersion }));
}

function identitiesRequest(base: string, subscription: string, group: string): CloudRequest {
  const id = { subscription, group, namespace: managedIdentity, types: [], names: [] };
  const segments = [...segmentsOf(id), 'userAssignedIdentities'];
  return get('the assigned identities', buildUrl(base, segments, { 'api-version': identityVersion }));
}

function providerRequest(base: string, subscription: string, namespace: string): CloudRequest {
  const segments = ['subscriptions', subscription, 'providers', namespace];
  return get('the resource provider', buildUrl(base, segments, { 'api-version': providerVersion }));
}

function resourceRequest(base: string, id: ResourceId, version: string): CloudRequest {
  return get('the resource', buildUrl(base, segmentsOf(id), { 'api-version': version }));
}

/** Reads location and principals of a machine, a scale set or another resource. */
function readResource(request: CloudRequest, response: CloudResponse): Resource {
  const object = readObject(request, response);
  const identity = Object.hasOwn(object, 'identity') ? object.identity : null;
  return {
    location: textField(object, 'location'),
    identity:
      typeof identity === 'object' && identity !== null
        ? readIdentity(recordField(object, 'identity'))
        : null,
  };
}

function readIdentity(identity: Readonly<Record<string, unknown>>): ResourceIdentity {
  const own = textField(identity, 'principalId');
  const principals = own === null ? [] : [own];
  const unresolved: ResourceId[] = [];
  const assigned = recordField(identity, 'userAssignedIdentities');
  for (const id of Object.keys(assigned)) {
    const principal = textField(recordField(assigned, id), 'principalId');
    const parsed = principal === null ? parseResourceId(id) : null;
    if (principal !== null) principals.push(principal);
    else if (parsed !== null) unresolved.push(parsed);
  }
  return { principals, unresolved };
}

function readIdentityPrincipal(request: CloudRequest, response: CloudResponse): string | null {
  return textField(recordField(readObject(request, response), 'properties'), 'principalId');
}

/** Reads the client IDs of one page and the link to the next one. */
function readIdentities(
  request: CloudRequest,
  response: CloudResponse,
): { readonly clientIds: readonly string[]; readonly next: CloudRequest | null } {
  const page = readObject(request, response);
  const clientIds = recordsField(page, 'value').flatMap(
    (identity) => textField(recordField(identity, 'properties'), 'clientId') ?? [],
  );
  const link = textField(page, 'nextLink');
  if (link !== null && !URL.canParse(link)) throw new CloudError('malformed', 'the next page has no address');
  return { clientIds, next: link === null ? null : get(request.name, new URL(link)) };
}

/** Returns the API version of a type: the first listed one that is not a preview. */
export function readVersion(request: CloudRequest, response: CloudResponse, id: ResourceId): string {
  const types = recordsField(readObject(request, response), 'resourceTypes');
  const requested = id.types.join('/');
  const found = types.find((type) => sameName(textField(type, 'resourceType') ?? '', requested));
  const versions: unknown = found?.apiVersions;
  const stable = Array.isArray(versions)
    ? versions.find((version) => typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version))
    : undefined;
  return typeof stable === 'string' ? stable : fallbackVersion;
}

export function createResourceManager({ send, tokens, endpoints }: ResourceManagerOptions): ResourceManager {
  const base = endpoints.resourceManager;
  const audience = endpoints.resourceManagerAudience;
  const versions = new Map<string, string>();

  const sendWithToken = async (request: CloudRequest, signal: AbortSignal): Promise<CloudResponse> => {
    const token = await tokens.token(audience, signal);
    const response = await send(withBearer(request, token, base), signal);
    if (response.status !== 401) return response;
    // The token may have been revoked, so the request is retried once with a new one. After that, the credentials are wrong.
    tokens.drop(audience, token);
    const again = await tokens.token(audience, signal);
    const second = await send(withBearer(request, again, base), signal);
    if (second.status === 401)
      throw new CloudError('bad-credentials', `${request.name} is kept from this server`, 401);
    return second;
  };

  const versionOf = async (id: ResourceId, signal: AbortSignal): Promise<string> => {
    const type = typeOf(id).toLowerCase();
    const known = versions.get(type);
    if (known !== undefined) return known;
    const request = providerRequest(base, id.subscription, id.namespace);
    const version = readVersion(request, await sendWithToken(request, signal), id);
    if (versions.size < maxTypes) versions.set(type, version);
    return version;
  };

  return {
    async virtualMachine(subscription, group, name, signal) {
      const request = virtualMachineRequest(base, subscription, group, name);
      return readResource(request, await sendWithToken(request, signal));
    },
    async scaleSet(subscription, group, name, signal) {
      const request = scaleSetRequest(base, subscription, group, name);
      return readResource(request, await sendWithToken(request, signal));
    },
    async resource(id, signal) {
      const request = resourceRequest(base, id, await versionOf(id, signal));
      return readResource(request, await sendWithToken(request, signal));
    },
    async identityPrincipal(id, signal) {
      const request = identityRequest(base, id);
      return readIdentityPrincipal(request, await sendWithToken(request, signal));
    },
    async hasIdentity(subscription, group, clientId, signal) {
      let request: CloudRequest | null = identitiesRequest(base, subscription, group);
      for (let page = 0; request !== null && page < maxPages; page += 1) {
        const { clientIds, next } = readIdentities(request, await sendWithToken(request, signal));
        if (clientIds.some((id) => sameName(id, clientId))) return true;
        request = next;
      }
      return false;
    },
  };
}
