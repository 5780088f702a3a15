import { SecretsError } from '../errors.js';
import type { Capability } from '../policies/policy.js';
import type { EndpointResult } from './endpoint-result.js';
import type { Call, Endpoint, Mount } from './mount.js';
import type { ApiRequest } from './request.js';

type Operation = ApiRequest['operation'];

/** What a path answers to each operation. A function decides per path, such as whether a write creates. */
export interface TableEntry {
  readonly capability: Capability | null | ((name: string) => Promise<Capability>);
  /** @param name what stood for `:name` in the pattern; empty without one. */
  handle(call: Call, name: string): Promise<EndpointResult>;
}

/** Patterns below the prefix, such as `policies/acl/:name`, with what each answers. */
export type EndpointTable = Readonly<Record<string, Readonly<Partial<Record<Operation, TableEntry>>>>>;

/** Makes a mount of a table: the paths of the server's own endpoints. */
export function mountTable(prefix: string, table: EndpointTable): Mount {
  const rows = Object.entries(table).map(([pattern, operations]) => ({
    fits: new RegExp(`^${pattern.replace(':name', '([^/]+)')}$`),
    operations,
  }));
  const rowOf = (path: string): { operations: EndpointTable[string]; name: string } | null => {
    for (const { fits, operations } of rows) {
      const match = fits.exec(path.slice(prefix.length));
      if (match !== null) return { operations, name: match[1] ?? '' };
    }
    return null;
  };
  return {
    prefix,
    async isOpen(path) {
      const entries = Object.values(rowOf(path)?.operations ?? {});
      return entries.some((entry) => entry?.capability === null);
    },
    async find({ operation, path }): Promise<Endpoint> {
      const row = rowOf(path);
      if (row === null) throw new SecretsError('unsupported-path', 'unsupported path');
      const entry = row.operations[operation];
      if (entry === undefined) throw new SecretsError('unsupported-operation', 'unsupported operation');
      const { capability } = entry;
      return {
        capability: typeof capability === 'function' ? await capability(row.name) : capability,
        handle: (call) => entry.handle(call, row.name),
      };
    },
  };
}
