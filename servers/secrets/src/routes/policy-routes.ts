import { mountTable } from '../api/endpoint-table.js';
import type { Mount } from '../api/mount.js';
import { SecretsError } from '../errors.js';
import type { PolicyStore } from '../policies/policy-store.js';

/** Most paths asked about at once. Stops one request from doing the work of thousands. */
const mostPaths = 100;

/** `sys/policies/acl/` and what a token may do: the endpoints of policies. */
export function mountPolicies(policies: PolicyStore): Mount {
  return mountTable('sys/', {
    'policies/acl/?': {
      list: {
        capability: 'list',
        handle: async () => ({ kind: 'keys', keys: await policies.list() }),
      },
    },
    'policies/acl/:name': {
      read: {
        capability: 'read',
        async handle(_call, name) {
          const policy = await policies.read(name);
          if (policy === null) throw new SecretsError('not-found', 'no such policy');
          return { kind: 'data', data: { name: policy.name, policy: policy.text } };
        },
      },
      write: {
        capability: async (name) => ((await policies.read(name)) === null ? 'create' : 'update'),
        async handle({ body }, name) {
          if (typeof body.policy !== 'string') {
            throw new SecretsError('bad-request', 'field "policy" must be the text of a policy');
          }
          await policies.write(name, body.policy);
          return { kind: 'done' };
        },
      },
      delete: {
        capability: 'delete',
        async handle(_call, name) {
          await policies.remove(name);
          return { kind: 'done' };
        },
      },
    },
    'capabilities-self': {
      write: {
        capability: 'update',
        async handle({ body, caller }) {
          const paths = readPaths(body.paths ?? body.path);
          const held = caller?.entry.policies ?? [];
          const found = await Promise.all(
            paths.map(async (path) => [path, await policies.capabilities(held, path)] as const),
          );
          const [only, ...others] = found;
          const shortcut = only !== undefined && others.length === 0 ? { capabilities: only[1] } : {};
          return { kind: 'data', data: { ...Object.fromEntries(found), ...shortcut } };
        },
      },
    },
  });
}

function readPaths(value: unknown): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (paths.length > 0 && paths.length <= mostPaths && paths.every((path) => typeof path === 'string')) {
    return paths;
  }
  throw new SecretsError('bad-request', `field "paths" must be a list of 1 to ${mostPaths} paths`);
}
