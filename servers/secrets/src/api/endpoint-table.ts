import { SecretsError } from '../base/errors.js';
import type { Capability } from '../policies/policy.js';
import type { Token } from '../tokens/token-entry.js';
import type { EndpointResult } from './endpoint-result.js';
import type { ApiRequest, Fields } from './request.js';

/** A request whose caller may make it. */
export interface Call {
  readonly request: ApiRequest;
  readonly body: Fields;
  /** The value of `:name` or `:rest` in the path of the row; empty without one. */
  readonly name: string;
  /** Null on the paths that are open to everybody. */
  readonly caller: Token | null;
}

/** Default maximum body size, in bytes. Prevents callers from causing work with bodies larger than any legitimate one. */
export const maxBodyLength = 65_536;

/** An endpoint: one operation of one path, with all that is to be known before it is called. */
export interface Endpoint<Given = Call> {
  /** Null for one that needs no token. A function decides by the name, such as whether a write creates. */
  readonly capability: Capability | null | ((name: string) => Promise<Capability>);
  /** Bytes; {@link maxBodyLength} when left out. */
  readonly maxBodyLength?: number;
  /** Whether it is handled though the audit log cannot be written, because it is a way out of that. */
  readonly worksUnrecorded?: boolean;
  handle(call: Given): Promise<EndpointResult>;
}

/** A row of a table: a path, and the endpoint of each operation. */
export interface EndpointRow<Each = Endpoint> {
  /** Such as `policies/acl/:name`, or `revoke-prefix/:rest` for more segments; with `/?` at its end it may end in a slash. */
  readonly path: string;
  /** The path of the row, in the same table, that this one is an alias of: policies are checked for both. */
  readonly aliasOf?: string;
  /** Whether a string is valid for `:name`; if omitted, any without a slash is. */
  readonly isName?: (text: string) => boolean;
  readonly operations: Readonly<Partial<Record<ApiRequest['operation'], Each>>>;
}

/** A mount: the table of everything below one prefix of the API. */
export interface Mount<Each = Endpoint> {
  /** Such as `auth/token/`. The longest one that a path begins with takes the request. */
  readonly prefix: string;
  readonly rows: readonly EndpointRow<Each>[];
}

/** Where a path leads: to a row, or to a mount that has none for it. */
export interface Route<Each = Endpoint> {
  readonly row: EndpointRow<Each> | null;
  /** The value of `:name` or `:rest`. */
  readonly name: string;
}

/** Finds the route of a path; null where nothing is mounted. */
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
