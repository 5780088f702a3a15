import { mountTable, type EndpointTable, type TableEntry } from '../api/endpoint-table.js';
import type { Mount } from '../api/mount.js';
import { SecretsError } from '../errors.js';
import type { PolicyStore } from '../policies/policy-store.js';

/** Most paths asked about at once. Stops one request from doing the work of thousands. */
const mostPaths = 100;

/** `sys/policies/acl/` and what a token may do: the endpoints of policies. */
export function mountPolicies(policies: PolicyStore): Mount {
  const list: TableEntry = {
    capability: 'list',
    handle: async () => ({ kind: 'keys', keys: await policies.list() }),
  };
  const byName: EndpointTable[string] = {
    read: {
      capability: 'read',
      async handle({ request }, name) {
        const policy = await policies.read(name);
        if (policy === null) throw new SecretsError('not-found', 'no such policy');
        // Old clients read the text under another name too.
        const rules = request.path.startsWith('sys/policy/') ? { rules: policy.text } : {};
        return { kind: 'data', data: { name: policy.name, policy: policy.text, ...rules } };
      },
    },
    write: {
      capability: async (name) => ((await policies.read(name)) === null ? 'create' : 'update'),
      async handle({ body }, name) {
        const text = body.policy ?? body.rules;
        if (typeof text !== 'string') {
          throw new SecretsError('bad-request', 'field "policy" must be the text of a policy');
        }
        await policies.write(name, text);
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
  };
  return mountTable('sys/', {
    'policies/acl/?': { list },
    'policies/acl/:name': byName,
    // The path of old clients. Policies are asked about the one above, see `access`.
    'policy/?': { list, read: list },
    'policy/:name': byName,
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
