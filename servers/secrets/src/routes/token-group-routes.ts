import { requires, type EndpointRow } from '../api/endpoint-table.js';
import type { SecretsError } from '../base/errors.js';
import { badRequest } from '../base/errors.js';
import { flag, readOnlyFields, requireKnown, text } from '../fields/fields.js';
import type { TokenGroup } from '../tokens/token-groups.js';
import type { TokenStore } from '../tokens/token-store.js';

const groupFields = { mount: text, role: text, identity: text };
const groupNames = Object.keys(groupFields);

type Groups = Pick<TokenStore, 'accessors' | 'endGroup'>;

/**
 * Returns the endpoints below `auth/token/` for groups of tokens. They require `sudo`: a token that may create others must not be
 * able to revoke the tokens of all callers.
 *
 * @param mounts paths below `auth/` of current and former mounts.
 */
export function tokenGroupRows(tokens: Groups, mounts: readonly string[]): readonly EndpointRow[] {
  return [
    {
      path: 'accessors/?',
      operations: {
        list: requires('sudo', async ({ request: { query } }) => {
          requireKnown('parameter', [...query.keys()], ['list', ...groupNames]);
          const given = groupNames.map((name) => [name, query.get(name)?.[0] ?? '']);
          const group = readGroup(Object.fromEntries(given) as Record<string, string>);
          return { kind: 'keys', keys: await tokens.accessors(group) };
        }),
      },
    },
    {
      path: 'revoke-all',
      operations: {
        write: requires('sudo', async ({ body }) => {
          const group = readGroup(readOnlyFields(groupFields, body));
          if (group === null) throw whichGroup();
          const path = 'path' in group ? group.path : 'role' in group ? group.mount : null;
          if (path !== null) requireMount(path, mounts);
          return { kind: 'data', data: { revoked: await tokens.endGroup(group) } };
        }),
      },
    },
  ];
}

/** Returns the endpoint below `sys/` with which Vault clients revoke the tokens of a mount. */
export function leaseRows(tokens: Groups, mounts: readonly string[]): readonly EndpointRow[] {
  const operations: EndpointRow['operations'] = {
    write: requires('sudo', async ({ name, body }) => {
      // Clients send `sync`, which makes no difference here: the response always waits. Some send the path in the body.
      const { prefix = name, path_prefix = name } = readOnlyFields(
        { sync: flag, prefix: text, path_prefix: text },
        body,
      );
      if (prefix !== name || path_prefix !== name) {
        throw badRequest('the prefix in the body must be that of the path');
      }
      requireMount(name, mounts);
      await tokens.endGroup({ path: name });
    }),
  };
  const path = 'leases/revoke-prefix/:rest';
  return [
    { path, operations },
    { path: 'revoke-prefix/:rest', aliasOf: path, operations },
  ];
}

interface Named {
  readonly mount?: string;
  readonly role?: string;
  readonly identity?: string;
}

/** Returns the group that the request names; null if it names none. */
function readGroup({ mount = '', role = '', identity = '' }: Named): TokenGroup | null {
  const path = mount.replace(/^\/?(?:auth\/)?/, '').replace(/\/$/, '');
  if (path === '' && role === '') return identity === '' ? null : { identity };
  if (path === '' || identity !== '') throw whichGroup();
  return role === '' ? { path: `auth/${path}` } : { mount: `auth/${path}`, role };
}

/** Revoking the tokens of an unknown mount has no effect, and must not be reported as success. */
function requireMount(path: string, mounts: readonly string[]): void {
  const known = mounts.map((mount) => `auth/${mount}`);
  if (
    path === 'auth' ||
    known.some((mount) => path === mount || isBelow(path, mount) || isBelow(mount, path))
  )
    return;
  throw badRequest(`there is no mount at this path: there is ${known.join(', ')}`);
}

function isBelow(path: string, other: string): boolean {
  return path.startsWith(`${other}/`);
}

function whichGroup(): SecretsError {
  return badRequest('name a "mount", a "mount" and a "role" of it, or an "identity"');
}
