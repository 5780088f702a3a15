import { SecretsError } from '../base/errors.js';
import type { Capability } from '../policies/policy.js';
import type { Token } from '../tokens/token-entry.js';
import type { EndpointResult } from './endpoint-result.js';
import type { ApiRequest, Fields } from './request.js';

/** An authorised request. */
export interface Call {
  readonly request: ApiRequest;
  readonly body: Fields;
  /** The value of `:name` or `:rest` in the path of the row; empty if it has neither. */
  readonly name: string;
  /** The token of the caller; null on paths that need no token. */
  readonly caller: Token | null;
}

/** Default maximum body size, in bytes. Prevents callers from causing work with bodies larger than any legitimate one. */
export const maxBodyLength = 65_536;

/** An endpoint: one operation of one path, with its requirements. */
export interface Endpoint<Given = Call> {
  /**
   * The required capability; null if no token is needed. A function decides by the name, for example whether a write creates an
   * object.
   */
  readonly capability: Capability | null | ((name: string) => Promise<Capability>);
  /** Maximum body size, in bytes. Default: {@link maxBodyLength}. */
  readonly maxBodyLength?: number;
  /** Whether the endpoint works even if the audit log cannot be written, because it can help to solve that. */
  readonly worksUnrecorded?: boolean;
  handle(call: Given): Promise<EndpointResult | void>;
}

/** Returns an endpoint that requires a capability. */
export function requires<Given = Call>(
  capability: Endpoint<Given>['capability'],
  handle: Endpoint<Given>['handle'],
): Endpoint<Given> {
  return { capability, handle };
}

/** A row of a table: a path, and the endpoint of each operation. */
export interface EndpointRow<Each = Endpoint> {
  /** Path pattern such as `policies/acl/:name`, or `revoke-prefix/:rest` for several segments. `/?` at the end allows a slash. */
  readonly path: string;
  /** Path of the row in the same table of which this row is an alias. Policies are checked for both paths. */
  readonly aliasOf?: string;
  /** Whether a string is valid for `:name`. If omitted, any string without a slash is valid. */
  readonly isName?: (text: string) => boolean;
  readonly operations: Readonly<Partial<Record<ApiRequest['operation'], Each>>>;
}

/** A mount: the table of everything below one prefix of the API. */
export interface Mount<Each = Endpoint> {
  /** Path prefix such as `auth/token/`. The mount with the longest matching prefix handles the request. */
  readonly prefix: string;
  readonly rows: readonly EndpointRow<Each>[];
}

/** The route of a path: a row, or a mount without a row for it. */
export interface Route<Each = Endpoint> {
  readonly row: EndpointRow<Each> | null;
  /** The value of `:name` or `:rest`. */
  readonly name: string;
}

/** Returns the route of a path; null if nothing is mounted there. */
export type Router<Each = Endpoint> = (path: string) => Route<Each> | null;

export function createRouter<Each = Endpoint>(mounts: readonly Mount<Each>[]): Router<Each> {
  const compiled = mounts
    .map(({ prefix, rows }) => ({ prefix, rows: rows.map((row) => ({ row, form: formOf(row.path) })) }))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  return (path) => {
    const mount = compiled.find(({ prefix }) => path.startsWith(prefix));
    if (mount === undefined) return null;
    const rest = path.slice(mount.prefix.length);
    for (const { row, form } of mount.rows) {
      const match = form.exec(rest);
      const name = match?.[1] ?? '';
      if (match !== null && (row.isName?.(name) ?? true)) return { row, name };
    }
    return { row: null, name: '' };
  };
}

function formOf(path: string): RegExp {
  return new RegExp(`^${path.replace(':name', '([^/]+)').replace(':rest', '(.+)')}$`);
}

/** Whether a route needs no token for any operation. */
export function isOpen({ row }: Route): boolean {
  return Object.values(row?.operations ?? {}).some(({ capability }) => capability === null);
}

/** @throws SecretsError `unsupported-path` or `unsupported-operation` */
export function endpointOf<Each>({ row }: Route<Each>, operation: ApiRequest['operation']): Each {
  if (row === null) throw new SecretsError('unsupported-path', 'unsupported path');
  const endpoint = row.operations[operation];
  if (endpoint === undefined) throw new SecretsError('unsupported-operation', 'unsupported operation');
  return endpoint;
}
