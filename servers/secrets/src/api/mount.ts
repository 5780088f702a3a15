import type { Capability } from '../policies/policy.js';
import type { Token } from '../tokens/token-entry.js';
import type { EndpointResult } from './endpoint-result.js';
import type { ApiRequest, Fields } from './request.js';

/** A request whose caller may make it. */
export interface Call {
  readonly request: ApiRequest;
  readonly body: Fields;
  /** Null on the paths that are open to everybody. */
  readonly caller: Token | null;
}

/** What answers one operation of one path. */
export interface Endpoint {
  /** Null for a path that needs no token. */
  readonly capability: Capability | null;
  /** Bytes; the server's own limit when left out. */
  readonly maxBodyLength?: number;
  handle(call: Call): Promise<EndpointResult>;
}

/** Everything below one path of the API. */
export interface Mount {
  /** Such as `auth/token/`. The longest one that a path begins with takes the request. */
  readonly prefix: string;
  /** Whether a path needs no token, whatever is asked of it. */
  isOpen(path: string): Promise<boolean>;
  /** @throws SecretsError `unsupported-path` or `unsupported-operation` */
  find(request: Pick<ApiRequest, 'operation' | 'path'>): Promise<Endpoint>;
}
