import { complete } from 'tamis/editor';
import type { ApiClient } from './api/api-client.js';
import { resources } from '@tamis/scheduler-model/resources.js';
import type { ListName } from './command.js';
import { listPaths } from './list-paths.js';
import type { CandidateSource } from './complete-line.js';

const maxNames = 100;

type Named = Readonly<Record<'ID' | 'Name' | 'AccessorID', string>>;

const lists = {
  jobs: { list: 'jobs', field: 'ID', hasPrefix: true },
  allocations: { list: 'allocations', field: 'ID', hasPrefix: true },
  nodes: { list: 'nodes', field: 'ID', hasPrefix: true },
  deployments: { list: 'deployments', field: 'ID', hasPrefix: true },
  evaluations: { list: 'evaluations', field: 'ID', hasPrefix: true },
  tokens: { list: 'acl_tokens', field: 'AccessorID', hasPrefix: true },
  policies: { list: 'acl_policies', field: 'Name', hasPrefix: false },
  namespaces: { list: 'namespaces', field: 'Name', hasPrefix: false },
} as const;

/** Creates completion candidates from a server. If it does not respond, nothing is offered and no error is shown. */
export function createCandidateSource(api: ApiClient | null, namespace: string | null): CandidateSource {
  async function request<T>(
    path: string,
    parameters: Readonly<Record<string, string | number | null>>,
  ): Promise<T | null> {
    if (api === null) return null;
    return api.get<T>(path, parameters).then(
      ({ body }) => body,
      () => null,
    );
  }

  async function namesOf(kind: keyof typeof lists, prefix: string): Promise<readonly string[]> {
    const { list, field, hasPrefix } = lists[kind];
    const rows = await request<readonly Named[]>(listPaths[list], {
      namespace,
      per_page: maxNames,
      prefix: hasPrefix ? prefix : null,
    });
    return Array.isArray(rows) ? (rows as readonly Named[]).map((row) => String(row[field])) : [];
  }

  async function valuesOf(list: ListName, field: string): Promise<readonly string[]> {
    const counts = await request<{
      readonly Facets?: Readonly<Record<string, { readonly Values: readonly { readonly Value: unknown }[] }>>;
    }>(listPaths[list], { namespace, facets: field });
    return (counts?.Facets?.[field]?.Values ?? []).map(({ Value }) => String(Value));
  }

  return {
    async names(kind, prefix) {
      if (kind === 'regions') return (await request<readonly string[]>('/v1/regions', {})) ?? [];
      if (kind !== 'any-id') return namesOf(kind, prefix);
      // IDs of 36 characters are offered only after a part of one was typed.
      const kinds = [
        'jobs',
        ...(prefix === '' ? [] : (['allocations', 'nodes', 'deployments', 'evaluations'] as const)),
      ] as const;
      return (await Promise.all(kinds.map((one) => namesOf(one, prefix)))).flat();
    },
    async filters(list, written) {
      const { schema } = resources[list];
      const requested = new Set<string>();
      const known = new Map<string, readonly string[]>();
      const run = () =>
        complete(written, written.length, {
          schema,
          values(path) {
            const field = path.length === 1 ? String(path[0]) : '';
            if (field !== '') requested.add(field);
            return known.get(field) ?? [];
          },
        });
      run();
      for (const field of requested) known.set(field, await valuesOf(list, field));
      const { from, items } = run();
      return items.map(({ insert }) => `${written.slice(0, from)}${insert}`);
    },
    sorts: (list) => Promise.resolve([...resources[list].sorts.keys()]),
  };
}
