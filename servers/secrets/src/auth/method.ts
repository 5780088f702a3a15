import type { Call, Endpoint, EndpointRow } from '../api/endpoint-table.js';
import type { ApiRequest } from '../api/request.js';
import type { TokenParameters } from '../tokens/token-parameters.js';

/** An authorised request to an auth method. It does not contain the token. */
export interface MethodCall extends Pick<Call, 'body' | 'name'> {
  readonly request: Pick<ApiRequest, 'id' | 'path' | 'peer' | 'signal'>;
}

/** The identity of a caller after a login. The mount creates a token for it, which the method never sees. */
export interface Identity {
  /** The stable name of the caller, such as the object id of a principal. */
  readonly alias: string;
  /** Role of the login, by its stored name. Renewals use this name. */
  readonly role: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly token: TokenParameters;
}

/** The outcome of a login. */
export interface Login {
  readonly identity: Identity;
  readonly warnings: readonly string[];
}

/** A login endpoint. It needs no token, and is limited per mount. */
export interface LoginEndpoint {
  /** @throws SecretsError whose code determines the status. */
  logIn(call: MethodCall): Promise<Login>;
}

/** An endpoint of a method. A write first checks whether the object exists, to require `create` or `update`. */
export type MethodEndpoint = Endpoint<MethodCall> | LoginEndpoint;

/** An auth method mounted at a path. It throws a `SecretsError`, whose code determines the status. */
export interface AuthMethod {
  /** All endpoints below its mount. */
  readonly rows: readonly EndpointRow<MethodEndpoint>[];
  /** Returns the current parameters for renewing a token of this role; null if the role no longer exists. */
  renew(role: string): Promise<TokenParameters | null>;
  /** Stops background tasks. */
  close(): Promise<void>;
}
