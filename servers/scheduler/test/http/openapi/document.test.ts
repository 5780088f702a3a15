import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/agent.js';
import { defaultAgentConfig } from '../../../src/agent-config.js';
import { operations } from '../../../src/http/openapi/operations.js';
import { queryParameters } from '../../../src/http/openapi/parameters.js';
import { routesOf, type Route } from '../../../src/http/route-table.js';
import { ask, createTestAgent } from '../../support/test-agent.js';

let agent: Agent;
let document: Record<string, unknown>;
beforeAll(async () => {
  const client = { ...defaultAgentConfig.client, enabled: true, register: false };
  agent = await createTestAgent({ config: { client } });
  document = (await ask(agent, '/v1/openapi.json')).json() as Record<string, unknown>;
});
afterAll(() => agent.close());

/** Routes whose method does not matter are described by what they are for. */
const anyMethod: readonly string[] = ['/v1/agent/monitor', '/v1/agent/pprof/*'];

/** The route that answers a path: the longest one that fits. */
function routeOf(routes: readonly Route[], method: string, path: string): Route | undefined {
  const fits = ({ url }: Route): boolean =>
    url.endsWith('*') ? path.startsWith(url.slice(0, -1)) : url === path;
  return routes
    .filter((route) => route.method === method && fits(route))
    .sort((a, b) => b.url.length - a.url.length)[0];
}

describe('the document', () => {
  it('is an OpenAPI 3.1 document', async () => {
    expect(document['openapi']).toBe('3.1.0');
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('describes every route, and nothing else', () => {
    const routes = routesOf(agent.app);
    const described = new Set<string>();
    const missing: string[] = [];
    for (const { method, path } of operations) {
      for (const one of method === 'put' ? ['PUT', 'POST'] : [method.toUpperCase()]) {
        const route = routeOf(routes, one, path.replaceAll(/\{[a-z_]+\}/g, 'x'));
        if (route === undefined) missing.push(`${one} ${path}`);
        else described.add(`${route.method} ${route.url}`);
      }
    }
    expect(missing).toEqual([]);
    const left = routes.filter(
      ({ method, url }) =>
        url.startsWith('/v1/') &&
        !described.has(`${method} ${url}`) &&
        !(anyMethod.includes(url) && method !== 'GET'),
    );
    expect(left).toEqual([]);
  });

  it('refers only to what it has, and has only what it refers to', () => {
    const text = JSON.stringify(document);
    const used = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name));
    const components = document['components'] as Record<string, Record<string, unknown>>;
    const there = ['schemas', 'parameters', 'headers', 'responses'].flatMap((kind) =>
      Object.keys(components[kind] ?? {}).map((name) => `${kind}/${name}`),
    );
    expect([...used].sort()).toEqual(there.sort());
    const parameters = new Set(operations.flatMap((operation) => operation.parameters));
    expect([...parameters].sort()).toEqual(Object.keys(queryParameters).sort());
  });

  it('gives every operation a name of its own, and a schema to every body', () => {
    const paths = Object.values(document['paths'] as Record<string, Record<string, { operationId: string }>>);
    const ids = paths.flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);
    for (const { method, path, body } of operations) {
      if (method !== 'put') expect(body, path).toBeNull();
    }
  });

  it('keeps secrets that only the server knows out of the schemas', () => {
    const { schemas } = document['components'] as { schemas: Record<string, { properties: object }> };
    expect(schemas['AclTokenListStub']?.properties).not.toHaveProperty('SecretID');
    expect(schemas['AclToken']?.properties).toHaveProperty('SecretID');
    expect(JSON.stringify(schemas)).not.toContain('SecretHash');
  });

  it('says which right an operation needs, and which need none', () => {
    const paths = document['paths'] as Record<string, Record<string, { description: string; security?: [] }>>;
    expect(paths['/v1/jobs']?.['get']?.description).toContain('namespace:list-jobs');
    expect(paths['/v1/jobs']?.['get']).not.toHaveProperty('security');
    expect(paths['/v1/agent/health']?.['get']?.security).toEqual([]);
  });
});
