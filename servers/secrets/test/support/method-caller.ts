import type { EndpointResult } from '../../src/api/endpoint-result.js';
import { createRouter, endpointOf } from '../../src/api/endpoint-table.js';
import type { ApiRequest, Fields } from '../../src/api/request.js';
import type { AuthMethod, Login, MethodEndpoint } from '../../src/auth/method.js';

type Operation = ApiRequest['operation'];

export interface MethodRequest {
  readonly operation: Operation;
  /** Below the mount. */
  readonly path: string;
  readonly body?: Fields;
  readonly peer?: string;
  readonly signal?: AbortSignal;
}

export type MethodResponse = EndpointResult | void | ({ readonly kind: 'login' } & Login);

function find(
  method: AuthMethod,
  { operation, path }: MethodRequest,
): { endpoint: MethodEndpoint; name: string } {
  const route = createRouter<MethodEndpoint>([{ prefix: '', rows: method.rows }])(path);
  if (route === null) throw new Error('no path begins with less than nothing');
  return { endpoint: endpointOf(route, operation), name: route.name };
}

/** Calls a method without a server around it: no rights, no limits, no token. */
export async function callMethod(method: AuthMethod, request: MethodRequest): Promise<MethodResponse> {
  const { endpoint, name } = find(method, request);
  const { body = {}, peer = '127.0.0.1', signal = new AbortController().signal } = request;
  const call = { body, name, request: { id: 'request', path: `auth/cloud/${request.path}`, peer, signal } };
  return 'logIn' in endpoint ? { kind: 'login', ...(await endpoint.logIn(call)) } : endpoint.handle(call);
}

/** The capability that an operation needs now; null for a way in. */
export async function capabilityOf(
  method: AuthMethod,
  operation: Operation,
  path: string,
): Promise<string | null> {
  const { endpoint, name } = find(method, { operation, path });
  const capability = 'logIn' in endpoint ? null : endpoint.capability;
  return typeof capability === 'function' ? capability(name) : capability;
}
