/** What a request asks of a mounted method. The mount has checked the token and its policies before. */
export interface MethodRequest {
  /** `read`, `list`, `delete`, or `write` for POST and PUT alike. */
  readonly operation: 'read' | 'list' | 'write' | 'delete';
  /** The path below the mount, such as `role/dev`; a list ends in a slash. */
  readonly path: string;
  /** The fields of the body, empty for a request without one. Own properties of a null-prototype object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The address of the caller, an IPv4-mapped one already unwrapped. */
  readonly peer: string;
  /** Names the request in logs, audit entries and answers. */
  readonly requestId: string;
  /** Aborted when the caller has left or the request has taken too long. */
  readonly signal: AbortSignal;
}

/** How tokens of a role are made: the fields `token_*` of the role, in seconds, already checked. */
export interface TokenParameters {
  readonly policies: readonly string[];
  readonly noDefaultPolicy: boolean;
  readonly type: 'default' | 'service' | 'batch';
  readonly ttl: number;
  readonly maxTtl: number;
  readonly explicitMaxTtl: number;
  readonly period: number;
  readonly numUses: number;
  readonly boundCidrs: readonly string[];
}

/** Who has logged in. The mount makes a token of it; the method never sees one. */
export interface Identity {
  /** The stable name of the caller, such as the object id of a principal. */
  readonly alias: string;
  /** The role that the caller logged in with, as the method stores it: renewals ask for it by this name. */
  readonly role: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly token: TokenParameters;
}

export type MethodResponse =
  /** 204, no body. */
  | { readonly kind: 'done' }
  /** 200 with `data`, and warnings if there are any. */
  | {
      readonly kind: 'data';
      readonly data: Readonly<Record<string, unknown>>;
      readonly warnings?: readonly string[];
    }
  /** 200 with nothing but warnings. */
  | { readonly kind: 'warnings'; readonly warnings: readonly string[] }
  | { readonly kind: 'login'; readonly identity: Identity; readonly warnings?: readonly string[] };

/** What a path of a method needs: which capability, and whether any token at all. */
export interface MethodRoute {
  readonly capability: 'create' | 'read' | 'update' | 'delete' | 'list' | null;
}

/**
 * A way to log in, mounted under a path. It answers with an identity, never with a token; what it throws is a
 * `SecretsError`, whose code decides the status.
 */
export interface AuthMethod {
  /**
   * What `request` needs before it is handled; a null capability is open to everybody (login). Unknown paths throw
   * `unsupported-path`, known ones with another operation `unsupported-operation`. Writes ask the storage whether the
   * object exists, which decides between `create` and `update`.
   */
  route(request: Pick<MethodRequest, 'operation' | 'path'>): Promise<MethodRoute>;
  handle(request: MethodRequest): Promise<MethodResponse>;
  /** The parameters that a token of this role is renewed with now; null when the role is gone. */
  renew(role: string): Promise<TokenParameters | null>;
  /** Ends what runs in the background. */
  close(): Promise<void>;
}
