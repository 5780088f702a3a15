import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultAgentConfig } from '../../../src/agent/settings/agent-config.js';
import { responseSchema } from '../../../src/api/document/document.js';
import type { JsonSchema } from '../../../src/api/kernel/json-schema.js';
import {
  queryParameters,
  type ParameterName,
  type QueryParameter,
} from '../../../src/api/kernel/parameters.js';
import { schemas } from '../../../src/api/document/schemas.js';
import type { ResponseBody, RouteFacts } from '../../../src/api/kernel/route.js';
import { interfaceRoutes } from '../../../src/api/routes.js';
import { aclIds, createAclCluster, type AclCluster } from '../../support/acl-cluster.js';
import type { TestResponse } from '../../support/test-agent.js';
import { misfit } from './fits-schema.js';

let cluster: AclCluster;
beforeAll(async () => {
  const client = { ...defaultAgentConfig.client, enabled: true, register: false };
  cluster = await createAclCluster(undefined, { config: { client, rpcPort: 4647, serfPort: 4648 } });
  // Every read returns immediately, for any wait.
  cluster.agent.blocking.stop();
});
afterAll(() => cluster.agent.close());

const word = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('', '*', 'default', 'apps', 'alpha', 'true', '0', '1', '-1', 'x', '%', 'a b'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'global',
      '5s',
      '1e400',
      '18446744073709551616',
      '__proto__',
      '../..',
      '\u0000',
    ),
  },
);

/** Where any word would reach out to machines that are not there, or take the time that it says. */
const special: Partial<Record<ParameterName, fc.Arbitrary<string>>> = {
  region: fc.constantFrom('', 'global', 'global', 'global', 'global', 'elsewhere'),
  wait: fc.constantFrom('', '1s', '250ms', '-1h', '10', 'soon'),
  address: fc.constantFrom('', '127.0.0.1:1', 'no address', '127.0.0.1:99999', ':'),
  seconds: fc.constantFrom('', '0', 'x'),
  filter: fc.oneof(
    word,
    fc.constantFrom('ID == alpha', 'Namespace != apps', 'ID matches "("', 'Nope == 1', 'not ('),
  ),
};

/** Mostly what the document allows, and now and then any word. */
function wordFor(name: ParameterName | 'unknown'): fc.Arbitrary<string> {
  if (name === 'unknown') return word;
  const { schema } = queryParameters[name] as QueryParameter;
  const good =
    special[name] ??
    (schema.type === 'integer'
      ? fc.constantFrom('0', '1', '5')
      : fc.constantFrom(...(schema.enum ?? ['', 'x'])));
  return special[name] ?? fc.oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: word });
}

const id = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('alpha', 'default', 'x', '%', 'a b', 'a/b', '../..', '__proto__', ''),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      aclIds.node,
      ...aclIds.allocations,
      ...aclIds.evaluations,
      ...aclIds.deployments,
    ),
  },
  { weight: 1, arbitrary: word },
);

function valueFor(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  const wrong = fc.jsonValue({ maxDepth: 1 });
  const { $ref, properties = {}, items, additionalProperties } = schema;
  const type = [schema.type ?? []].flat()[0];
  if ($ref !== undefined) return valueFor(schemas[$ref.replace('#/components/schemas/', '')] ?? {}, depth);
  // Deep down a body is left as it is: it would only grow.
  if (depth > 3) return wrong;
  switch (type) {
    case 'object': {
      const fields = Object.entries(properties).map(([name, field]) => [name, valueFor(field, depth + 1)]);
      const known = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
        requiredKeys: depth === 0 ? [...(schema.required ?? [])] : [],
      });
      const values = additionalProperties === undefined ? wrong : valueFor(additionalProperties, depth + 1);
      return fc.oneof(
        {
          weight: 9,
          arbitrary: Object.keys(properties).length > 0 ? known : fc.dictionary(word, values, { maxKeys: 2 }),
        },
        { weight: 1, arbitrary: wrong },
      );
    }
    case 'array':
      return fc.oneof(
        { weight: 9, arbitrary: fc.array(valueFor(items ?? {}, depth + 1), { maxLength: 2 }) },
        wrong,
      );
    case 'string':
      return fc.oneof({ weight: 9, arbitrary: word }, wrong);
    case 'integer':
      return fc.oneof(
        { weight: 9, arbitrary: fc.integer() },
        fc.constantFrom(0, 50, 2 ** 53, -1, 0.5),
        wrong,
      );
    case 'boolean':
      return fc.oneof({ weight: 9, arbitrary: fc.boolean() }, wrong);
    default:
      return wrong;
  }
}

interface FuzzedRequest {
  readonly route: RouteFacts;
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly caller: string;
}

function requestFor(route: RouteFacts): fc.Arbitrary<FuzzedRequest> {
  const { path, method, parameters, body } = route;
  const slots = [...path.matchAll(/\{[a-z_]+\}/g)].map(() => id);
  const pair = fc
    .constantFrom(...parameters, 'unknown' as const)
    .chain((name) => fc.tuple(fc.constant(name), wordFor(name)));
  const sent =
    body === null ? fc.constant(undefined) : valueFor({ $ref: `#/components/schemas/${body.schema}` });
  return fc
    .record({
      ids: fc.tuple(...slots),
      pairs: fc.array(pair, { maxLength: 4 }),
      body: fc.oneof({ weight: 6, arbitrary: sent }, fc.constantFrom('', '{', '[]', 'null', undefined)),
      post: fc.boolean(),
      caller: fc.oneof(
        { weight: 8, arbitrary: fc.constant('mgmt') },
        { weight: 3, arbitrary: fc.constantFrom('ns_read', 'agent_write', '', 'unknown') },
      ),
    })
    .map(({ ids, pairs, body: payload, post, caller }) => {
      const left = [...ids];
      const filled = path.replaceAll(/\{[a-z_]+\}/g, () => encodeURIComponent(left.shift() ?? ''));
      const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
      const verb = method === 'put' && post ? 'POST' : method.toUpperCase();
      return {
        route,
        method: verb,
        url: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
        body: payload,
        caller,
      };
    });
}

/** Streams have no end, and a profile stops the tests from running meanwhile: they have tests of their own. */
const endless: readonly ResponseBody['kind'][] = ['frames', 'events', 'bytes'];
const fuzzed = interfaceRoutes.filter(({ response }) => !endless.includes(response.kind));

function check({ route, method, url, caller }: FuzzedRequest, response: TestResponse): void {
  const what = `${method} ${url} as ${caller}: ${response.status} ${response.text.slice(0, 200)}`;
  const documented = [200, 400, 403, 500, ...route.failures];
  // An empty id leads to another path, and an unimplemented sub-path returns no message; both are 404 or 405.
  const paths = route.path.includes('{') ? [404, 405] : [];
  expect([...documented, ...paths], what).toContain(response.status);
  if (response.status === 500)
    expect(response.text, what).toMatch(/^(?:No path to region|no servers|\{"client")/);
  if (response.status !== 200) {
    if (response.text !== '')
      expect(response.headers['content-type'], what).toBe('text/plain; charset=utf-8');
    return;
  }
  const { response: body } = route;
  if (body.kind === 'empty') expect(response.text, what).toBe('');
  if (body.kind !== 'json' && body.kind !== 'list' && body.kind !== 'maybe') return;
  expect(response.headers['content-type'], what).toBe('application/json');
  if (isSubPath(route, url)) return;
  expect(misfit(response.json(), responseSchema(body), schemas), what).toBeNull();
}

/** Whether the id has led to another route: ids may hold slashes, so their ends may look like a path. */
function isSubPath({ path }: RouteFacts, url: string): boolean {
  const [requests = ''] = url.split('?', 1);
  return requests.split('/').length !== path.split('/').length || requests.endsWith('/');
}

describe('any request that the document allows', () => {
  it.each(fuzzed.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    async (_name, route) => {
      await fc.assert(
        fc.asyncProperty(requestFor(route), async (request) => {
          const { method, url, body, caller } = request;
          const response = await cluster.sendAs(caller, url, {
            method,
            ...(body === undefined ? {} : { body }),
          });
          check(request, response);
          expect(cluster.agent.blocking.waiting).toBe(0);
        }),
        { numRuns: 40 },
      );
    },
  );

  it('leaves the agent as able as before', async () => {
    for (const path of ['/v1/jobs?namespace=*', '/v1/nodes', '/v1/acl/tokens', '/v1/agent/health']) {
      expect((await cluster.sendAs('mgmt', path)).status).toBe(200);
    }
  });
});
