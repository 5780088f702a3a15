import type { Call, Endpoint, EndpointRow, Mount } from '../api/endpoint-table.js';
import type { EndpointResult } from '../api/endpoint-result.js';
import { SecretsError } from '../base/errors.js';
import { tokenPolicies } from '../tokens/token-policies.js';
import type { TokenStore } from '../tokens/token-store.js';
import { authBlock } from '../tokens/token-view.js';
import { createLoginGate, type LoginGate, type LoginLimits } from './login-limits.js';
import type { AuthMethod, Login, LoginEndpoint, MethodEndpoint } from './method.js';

export interface AuthMountOptions {
  /** The mount path without the prefix `auth/`, such as `cloud`. */
  readonly path: string;
  readonly method: AuthMethod;
  readonly tokens: Pick<TokenStore, 'create' | 'generation' | 'takeBack'>;
  readonly now: () => number;
  readonly limits: LoginLimits;
}

/** Mounts an auth method below `auth/` and creates tokens for the identities that it verifies. */
export function mountAuthMethod(options: AuthMountOptions): Mount {
  const gate = createLoginGate(options.limits, options.now);
  const mounted = (endpoint: MethodEndpoint): Endpoint =>
    'logIn' in endpoint ? loginEndpoint(endpoint, gate, options) : endpoint;
  const rows = options.method.rows.map(({ operations, ...row }): EndpointRow => {
    if (Object.values(operations).some((each) => 'logIn' in each) && !/^login(?:\/|$)/.test(row.path)) {
      throw new TypeError(
        `mountAuthMethod: the path of a login must be "login" or below it, got "${row.path}"`,
      );
    }
    const each = Object.entries(operations).map(([operation, endpoint]) => [operation, mounted(endpoint)]);
    return { ...row, operations: Object.fromEntries(each) as EndpointRow['operations'] };
  });
  return { prefix: `auth/${options.path}/`, rows };
}

function loginEndpoint(method: LoginEndpoint, gate: LoginGate, options: AuthMountOptions): Endpoint {
  return {
    capability: null,
    maxBodyLength: options.limits.maxBodyLength,
    async handle(call) {
      const leave = gate.enter(call.request.peer);
      try {
        // Revocations from now on also apply to this token, however long the cloud takes to respond.
        const generation = options.tokens.generation();
        return await grantToken(options, await method.logIn(call), call, generation);
      } finally {
        leave();
      }
    },
  };
}

async function grantToken(
  { path, tokens }: AuthMountOptions,
  { identity, warnings }: Login,
  { request }: Call,
  generation: number,
): Promise<EndpointResult> {
  const { alias, role, metadata, token: terms } = identity;
  const policies = tokenPolicies(terms);
  // The client has disconnected and would not receive the token.
  if (request.signal.aborted) throw new SecretsError('timed-out', 'the request took too long');
  const grant = await tokens.create({
    terms,
    policies,
    metadata,
    displayName: `${path.replaceAll('/', '-')}-${alias}`,
    path: request.path,
    role,
    identity: `${path}/${alias}`,
    parent: null,
    renewable: true,
    id: null,
    generation,
  });
  return {
    kind: 'auth',
    auth: authBlock(grant.token, grant.seconds),
    warnings: [...warnings, ...grant.warnings],
    undo: () => tokens.takeBack(grant.token),
  };
}
