import type { Call, Endpoint, EndpointRow } from '../api/endpoint-table.js';
import type { ApiRequest } from '../api/request.js';
import type { TokenParameters } from '../tokens/token-parameters.js';

/** A request as a method gets it: its rights are settled, and no token is in it. */
export interface MethodCall extends Pick<Call, 'body' | 'name'> {
  readonly request: Pick<ApiRequest, 'id' | 'path' | 'peer' | 'signal'>;
}

/** The identity of a caller who has logged in. The mount makes a token of it; the method never sees one. */
export interface Identity {
  /** The stable name of the caller, such as the object id of a principal. */
  readonly alias: string;
  /** The role that the caller logged in with, as the method stores it: renewals use this name. */
  readonly role: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly token: TokenParameters;
}

/** The outcome of a login. */
export interface Login {
  readonly identity: Identity;
  readonly warnings: readonly string[];
}

/** A way in: open to everybody, within the limits of the mount. */
export interface LoginEndpoint {
  /** @throws SecretsError whose code decides the status. */
  logIn(call: MethodCall): Promise<Login>;
}

/** An endpoint of a method. Writes of objects check whether there is one, which decides between `create` and `update`. */
export type MethodEndpoint = Endpoint<MethodCall> | LoginEndpoint;

/** A way to log in, mounted under a path. What it throws is a `SecretsError`, whose code decides the status. */
export interface AuthMethod {
  /** Everything below its mount. */
  readonly rows: readonly EndpointRow<MethodEndpoint>[];
  /** The parameters that a token of this role is renewed with now; null when the role is gone. */
  renew(role: string): Promise<TokenParameters | null>;
  /** Ends what runs in the background. */
  close(): Promise<void>;
}
