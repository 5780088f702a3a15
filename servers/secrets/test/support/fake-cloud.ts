import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EndpointOverrides } from '../../src/cloud/endpoints.js';
import { createFakeDirectory, type FakeDirectory } from './fake-directory.js';
import { createFakeIssuer, signByHand, type FakeApplication, type FakeIssuer } from './fake-issuer.js';
import { createFakeResources, type FakeResources } from './fake-resources.js';

export const tenant = '11111111-1111-4111-8111-111111111111';
export const subscription = '22222222-2222-4222-8222-222222222222';
export const audience = 'https://secrets.example/';
export const clientId = '33333333-3333-4333-8333-333333333333';
export const clientSecret = 'abc-the-first-secret';

/** What a call was for. Every address that the server may call has one; anything else is `unknown`. */
export type CallKind =
  | 'discovery'
  | 'keys'
  | 'issue'
  | 'token'
  | 'metadata'
  | 'machine'
  | 'scale-set'
  | 'identity'
  | 'identities'
  | 'provider'
  | 'resource'
  | 'application'
  | 'add-password'
  | 'remove-password'
  | 'unknown';

/** Calls that show the server's own credentials to another party: no unverified caller may cause one. */
export const privilegedCalls: readonly CallKind[] = [
  'token',
  'metadata',
  'machine',
  'scale-set',
  'identity',
  'identities',
  'provider',
  'resource',
  'application',
  'add-password',
  'remove-password',
];

export interface Call {
  readonly kind: CallKind;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | null;
  readonly body: string;
}

/** A response instead of the right one. */
export interface Fault {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Leaves the call without a response. */
  readonly hang?: boolean;
}

/** A response of the fake, before it is written. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/**
 * A cloud on loopback: an OpenID provider per tenant, a resource manager, a directory and instance metadata, with a
 * log of every call and faults on demand.
 */
export interface FakeCloud {
  readonly origin: string;
  /** For the server under test. */
  readonly endpoints: EndpointOverrides;
  readonly calls: readonly Call[];
  readonly resources: FakeResources;
  readonly directory: FakeDirectory;
  issuer(tenant?: string): FakeIssuer;
  /** The claims of a good token of machine `vm1` that is valid now. */
  claims(changes?: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** A token signed by the issuer's key, by hand. */
  token(
    changes?: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  /** Calls of these kinds so far. */
  count(...kinds: readonly CallKind[]): number;
  forgetCalls(): void;
  /** Returns faults for the next calls of a kind, one each; `always` for all of them until `heal`. */
  fail(kind: CallKind, faults: readonly Fault[] | { readonly always: Fault }): void;
  heal(): void;
  close(): Promise<void>;
}

export interface FakeCloudOptions {
  /** Milliseconds since 1970: when hand-made tokens are made. */
  readonly now?: () => number;
  /** The port on loopback; 0, the default, for any that is free. */
  readonly port?: number;
}

export async function createFakeCloud({
  now = Date.now,
  port: expected = 0,
}: FakeCloudOptions = {}): Promise<FakeCloud> {
  const calls: Call[] = [];
  const issuers = new Map<string, FakeIssuer>();
  const queued = new Map<CallKind, Fault[]>();
  const standing = new Map<CallKind, Fault>();
  const accessTokens = new Map<string, string>();
  const resources = createFakeResources();
  const directory = createFakeDirectory({ clientId, clientSecret });
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(expected, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${String(port)}`;
  const arm = `${origin}/arm`;
  const graph = `${origin}/graph`;

  function issuer(name = tenant): FakeIssuer {
    const known = issuers.get(name);
    if (known !== undefined) return known;
    const made = createFakeIssuer({
      issuer: `${origin}/${name}`,
      path: `/${name}`,
      audience,
      applications: () => resources.applications(name),
    });
    issuers.set(name, made);
    return made;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin);
    const kind = kindOf(url.pathname);
    // The provider reads the body of its own calls.
    const body = kind === 'issue' ? '' : await readBody(request);
    const authorization = request.headers.authorization ?? null;
    const { method = '' } = request;
    const call: Call = { kind, method, path: url.pathname, query: url.searchParams, authorization, body };
    calls.push(call);
    const fault = queued.get(kind)?.shift() ?? standing.get(kind);
    if (fault !== undefined) return faultResponse(response, fault);
    if (kind === 'discovery' || kind === 'keys' || kind === 'issue') {
      return issuer(url.pathname.split('/')[1]).handle(request, response);
    }
    const { status, body: value } = await result(call, request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(value === null ? '' : JSON.stringify(value));
  }

  async function result(call: Call, request: IncomingMessage): Promise<Reply> {
    if (call.kind === 'token') return giveAccessToken(call);
    if (call.kind === 'metadata') return giveIdentityToken(call, request);
    if (call.path.startsWith('/arm/')) {
      return isAuthorised(call, arm) ? resources.response(call, arm) : refuse(401);
    }
    if (call.path.startsWith('/graph/')) {
      return isAuthorised(call, graph) ? directory.response(call) : refuse(401);
    }
    return refuse(404);
  }

  function giveAccessToken({ body, path }: Call): Reply {
    const form = new URLSearchParams(body);
    const isKnown = directory.accepts(form.get('client_id'), form.get('client_secret'));
    if (!isKnown || !path.startsWith(`/${tenant}/`))
      return { status: 401, body: { error: 'invalid_client' } };
    const token = `access-${randomUUID()}`;
    accessTokens.set(token, (form.get('scope') ?? '').replace(/\/\.default$/, ''));
    return { status: 200, body: { token_type: 'Bearer', expires_in: 3_600, access_token: token } };
  }

  /** The token of the calling machine; the test selects it by a client id. */
  async function giveIdentityToken({ query }: Call, request: IncomingMessage): Promise<Reply> {
    const resource = query.get('resource') ?? '';
    if (request.headers.metadata !== 'true') return refuse(400);
    if (resource === arm) {
      const token = `access-${randomUUID()}`;
      accessTokens.set(token, arm);
      return { status: 200, body: { access_token: token, expires_in: '3600' } };
    }
    const application = findApplication(resources.applications(tenant), query.get('client_id'));
    if (application === undefined) return refuse(404);
    const response = await fetch(`${issuer().issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: application.clientId,
        client_secret: application.clientSecret,
        resource: audience,
        scope: 'read',
      }),
    });
    return { status: response.status, body: await response.json() };
  }

  function isAuthorised({ authorization }: Call, expected: string): boolean {
    return accessTokens.get((authorization ?? '').replace(/^Bearer /, '')) === expected;
  }

  function claims(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    const seconds = Math.floor(now() / 1_000);
    const { issuer: iss } = issuer();
    const good = { iss, aud: audience, exp: seconds + 300, nbf: seconds - 60, ...resources.goodClaims };
    return withoutUndefined({ ...good, ...changes });
  }

  return {
    origin,
    endpoints: {
      environments: new Map([
        [
          'CloudPublicCloud',
          { authority: origin, resourceManager: arm, resourceManagerAudience: arm, graph },
        ],
      ]),
      metadata: origin,
    },
    calls,
    resources,
    directory,
    issuer,
    claims,
    token: async (changes, header) => signByHand(claims(changes), issuer().key, header),
    count: (...kinds) => calls.filter(({ kind }) => kinds.includes(kind)).length,
    forgetCalls: () => void calls.splice(0),
    fail(kind, faults) {
      if ('always' in faults) standing.set(kind, faults.always);
      else queued.set(kind, [...faults]);
    },
    heal() {
      queued.clear();
      standing.clear();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const kinds: readonly (readonly [RegExp, CallKind])[] = [
  [/^\/[^/]+\/\.well-known\/openid-configuration$/, 'discovery'],
  [/^\/[^/]+\/jwks$/, 'keys'],
  [/^\/[^/]+\/token$/, 'issue'],
  [/^\/[^/]+\/oauth2\/v2\.0\/token$/, 'token'],
  [/^\/metadata\/identity\/oauth2\/token$/, 'metadata'],
  [/^\/arm\/.*\/Microsoft\.Compute\/virtualMachines\/[^/]+$/, 'machine'],
  [/^\/arm\/.*\/Microsoft\.Compute\/virtualMachineScaleSets\/[^/]+$/, 'scale-set'],
  [/^\/arm\/.*\/userAssignedIdentities\/[^/]+$/, 'identity'],
  [/^\/arm\/.*\/userAssignedIdentities$/i, 'identities'],
  [/^\/arm\/subscriptions\/[^/]+\/providers\/[^/]+$/, 'provider'],
  [/^\/arm\//, 'resource'],
  [/^\/graph\/v1\.0\/applications$/, 'application'],
  [/^\/graph\/.*\/addPassword$/, 'add-password'],
  [/^\/graph\/.*\/removePassword$/, 'remove-password'],
];

function kindOf(path: string): CallKind {
  return kinds.find(([pattern]) => pattern.test(path))?.[1] ?? 'unknown';
}

function faultResponse(response: ServerResponse, { status, headers, body, hang }: Fault): void {
  if (hang === true) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body ?? '{"error":"injected"}');
}

function refuse(status: number): Reply {
  return { status, body: { error: { code: String(status), message: 'the fake cloud says no' } } };
}

function findApplication(
  applications: readonly FakeApplication[],
  id: string | null,
): FakeApplication | undefined {
  return id === null ? applications[0] : applications.find(({ clientId: other }) => other === id);
}

function withoutUndefined(claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
