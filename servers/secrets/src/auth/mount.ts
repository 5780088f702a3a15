import type { EndpointResult } from '../api/endpoint-result.js';
import type { Call, Endpoint, Mount } from '../api/mount.js';
import { SecretsError } from '../errors.js';
import { tokenPolicies } from '../tokens/token-policies.js';
import type { TokenStore } from '../tokens/token-store.js';
import { authBlock } from '../tokens/token-view.js';
import { createLoginGate, type LoginLimits } from './login-limits.js';
import type { AuthMethod, Identity, MethodResponse } from './method.js';

export interface AuthMountOptions {
  /** Below `auth/`, such as `cloud`. */
  readonly path: string;
  readonly method: AuthMethod;
  readonly tokens: Pick<TokenStore, 'create' | 'takeBack'>;
  readonly now: () => number;
  readonly limits: LoginLimits;
}

/** Serves an auth method below `auth/`: turns the identities that it finds into tokens. */
export function mountAuthMethod(options: AuthMountOptions): Mount {
  const { method, now, limits } = options;
  const prefix = `auth/${options.path}/`;
  const gate = createLoginGate(limits, now);
  const below = (path: string): string => path.slice(prefix.length);

  async function handle(call: Call): Promise<EndpointResult> {
    const { operation, path, peer, id, signal } = call.request;
    const response = await method.handle({
      operation,
      path: below(path),
      body: call.body,
      peer,
      requestId: id,
      signal,
    });
    return answer(options, response, call);
  }

  return {
    prefix,
    async isOpen(path) {
      try {
        return (await method.route({ operation: 'write', path: below(path) })).capability === null;
      } catch (error) {
        // A path that does not exist, or cannot be written, is not a way in.
        if (error instanceof SecretsError) return false;
        throw error;
      }
    },
    async find({ operation, path }): Promise<Endpoint> {
      const { capability } = await method.route({ operation, path: below(path) });
      if (capability !== null) return { capability, handle };
      return {
        capability,
        maxBodyLength: limits.maxBodyLength,
        handle: (call) => gate.run(call.request.peer, () => handle(call)),
      };
    },
  };
}

async function answer(
  options: AuthMountOptions,
  response: MethodResponse,
  call: Call,
): Promise<EndpointResult> {
  switch (response.kind) {
    case 'login':
      return logIn(options, response.identity, response.warnings ?? [], call);
    case 'data': {
      const { keys } = response.data;
      // An empty list is not found, as an object that is not there.
      if (call.request.operation === 'list' && Array.isArray(keys) && keys.length === 0) {
        return { kind: 'keys', keys: [] };
      }
      return response;
    }
    default:
      return response;
  }
}

async function logIn(
  { path, tokens }: AuthMountOptions,
  identity: Identity,
  warnings: readonly string[],
  { request }: Call,
): Promise<EndpointResult> {
  const { alias, role, metadata, token: terms } = identity;
  const policies = tokenPolicies(terms);
  // Whoever has left does not learn the token: do not make one.
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
  });
  return {
    kind: 'auth',
    auth: authBlock(grant.token, grant.seconds),
    warnings: [...warnings, ...grant.warnings],
    undo: () => tokens.takeBack(grant.token),
  };
}
