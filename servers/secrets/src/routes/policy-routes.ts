import { createTurnQueue, type EventLoop } from '@tamis/http';
import {
  requires,
  maxBodyLength,
  type Call,
  type Endpoint,
  type EndpointRow,
} from '../api/endpoint-table.js';
import { maxPathLength, type Fields } from '../api/request.js';
import { badRequest, SecretsError } from '../base/errors.js';
import { maxPolicyLength } from '../policies/parse-policy.js';
import type { PolicyRule } from '../policies/policy.js';
import type { PolicyStore } from '../policies/policy-store.js';
import type { TokenEntry } from '../tokens/token-entry.js';
import type { TokenStore } from '../tokens/token-store.js';
import { tokenCapabilities } from '../policies/token-capabilities.js';

/** Maximum length of a body with a policy, in bytes. An escaped character has up to 6 bytes. */
export const maxPolicyBodyLength = maxBodyLength + 6 * maxPolicyLength;

/** Maximum number of paths per request. Prevents one request from causing the work of thousands. */
const maxPaths = 100;

/** Returns the endpoints of policies below `sys/`, and those that return the capabilities of a token. */
export function policyRows(
  policies: PolicyStore,
  pace: Pick<EventLoop, 'defer'>,
  tokens: Pick<TokenStore, 'find' | 'findByAccessor'> | null = null,
): readonly EndpointRow[] {
  const turn = createTurnQueue(pace);
  const list: Endpoint = requires('list', async () => ({ kind: 'keys', keys: await policies.list() }));
  const byName: EndpointRow['operations'] = {
    read: requires('read', async ({ request, name }) => {
      const policy = await policies.read(name);
      if (policy === null) throw new SecretsError('not-found', 'no such policy');
      // Old clients read the policy under the name `rules` too.
      const rules = request.path.startsWith('sys/policy/') ? { rules: policy.text } : {};
      return { kind: 'data', data: { name: policy.name, policy: policy.text, ...rules } };
    }),
    write: {
      capability: async (name) => ((await policies.read(name)) === null ? 'create' : 'update'),
      maxBodyLength: maxPolicyBodyLength,
      async handle({ body, name }) {
        const text = body.policy ?? body.rules;
        if (typeof text !== 'string') throw badRequest('field "policy" must be the text of a policy');
        const warnings = warnOfVersions(await policies.write(name, text));
        return warnings.length === 0 ? undefined : { kind: 'warnings', warnings };
      },
    },
    delete: requires('delete', ({ name }) => policies.remove(name)),
  };
  /** @param entryOf returns the token whose capabilities are requested. */
  const capabilitiesOf = (entryOf: (call: Call) => Promise<PolicySet | null> | PolicySet | null): Endpoint =>
    requires('update', async (call) => {
      const { signal } = call.request;
      const paths = readPaths(call.body.paths ?? call.body.path);
      const entry = await entryOf(call);
      if (entry === null) throw badRequest('there is no such token');
      const found: [path: string, capabilities: readonly string[]][] = [];
      for (const path of paths) {
        // Each path takes as long as the policy check of a request, so other requests run in between.
        await turn();
        if (signal.aborted) throw new SecretsError('timed-out', 'the request took too long');
        found.push([path, await tokenCapabilities(policies, entry, path)]);
      }
      const [only, ...others] = found;
      const shortcut = only !== undefined && others.length === 0 ? { capabilities: only[1] } : {};
      return { kind: 'data', data: { ...Object.fromEntries(found), ...shortcut } };
    });
  const others =
    tokens === null
      ? []
      : [
          { path: 'capabilities', find: ({ token }: Fields) => tokens.find(textOf('token', token)) },
          {
            path: 'capabilities-accessor',
            find: ({ accessor }: Fields) => tokens.findByAccessor(textOf('accessor', accessor)),
          },
        ];
  return [
    { path: 'policies/acl/?', operations: { list } },
    { path: 'policies/acl/:name', operations: byName },
    // The paths of old clients.
    { path: 'policy/?', aliasOf: 'policies/acl/?', operations: { list, read: list } },
    { path: 'policy/:name', aliasOf: 'policies/acl/:name', operations: byName },
    {
      path: 'capabilities-self',
      operations: { write: capabilitiesOf(({ caller }) => caller?.entry ?? { policies: [] }) },
    },
    ...others.map(({ path, find }) => ({
      path,
      operations: { write: capabilitiesOf(({ body }) => find(body)) },
    })),
  ];
}

/** Maximum number of warnings of one response. */
const maxWarnings = 20;

/** Returns warnings about patterns that begin with `v1/` and therefore match nothing. Other patterns may match a future mount. */
function warnOfVersions(rules: readonly PolicyRule[]): readonly string[] {
  return rules
    .filter(({ pattern }) => /^v1\//i.test(pattern))
    .slice(0, maxWarnings)
    .map(({ pattern }) => `path ${JSON.stringify(pattern.slice(0, 256))} fits nothing: leave v1/ out`);
}

type PolicySet = Pick<TokenEntry, 'policies' | 'leftOut'>;

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw badRequest(`field "${name}" is missing`);
}

function readPaths(value: unknown): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isNumber = paths.length > 0 && paths.length <= maxPaths;
  if (
    isNumber &&
    paths.every((path) => typeof path === 'string' && Buffer.byteLength(path) <= maxPathLength)
  ) {
    return paths as readonly string[];
  }
  throw badRequest(
    `field "paths" must be a list of 1 to ${maxPaths} paths of at most ${maxPathLength} bytes`,
  );
}
