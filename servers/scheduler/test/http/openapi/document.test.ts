import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/agent/agent.js';
import { defaultAgentConfig } from '../../../src/agent/settings/agent-config.js';
import { queryParameters } from '../../../src/api/kernel/parameters.js';
import { createRouter } from '../../../src/api/kernel/routing.js';
import { interfaceRoutes } from '../../../src/api/routes.js';
import { call, createTestAgent } from '../../support/test-agent.js';

let agent: Agent;
let document: Record<string, unknown>;
beforeAll(async () => {
  const client = { ...defaultAgentConfig.client, enabled: true, register: false };
  agent = await createTestAgent({ config: { client } });
  document = (await call(agent, '/v1/openapi.json')).json() as Record<string, unknown>;
});
afterAll(() => agent.close());

describe('the document', () => {
  it('is an OpenAPI 3.1 document', async () => {
    expect(document['openapi']).toBe('3.1.0');
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('describes every route, and nothing else', () => {
    const paths = document['paths'] as Record<string, object>;
    const methods = { get: ['get'], put: ['put', 'post'], delete: ['delete'], any: ['get'] };
    const declared = interfaceRoutes.flatMap(({ method, path }) =>
      methods[method].map((one) => `${one} ${path}`),
    );
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(declared.length).toBeGreaterThan(60);
    expect(described.toSorted()).toEqual(declared.toSorted());
  });

  it('describes all routes: no path of it is unknown, and no route hides another one', () => {
    const { find } = createRouter(interfaceRoutes);
    for (const { method, path } of interfaceRoutes) {
      const verb = { get: 'GET', put: 'POST', delete: 'DELETE', any: 'GET' }[method];
      expect(find(verb, path.replace(/\{\w+\}/, 'x')), path).toMatchObject({ route: { method, path } });
    }
  });

  it('refers only to what it has, and has only what it refers to', () => {
    const text = JSON.stringify(document);
    const used = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name));
    const components = document['components'] as Record<string, Record<string, unknown>>;
    const there = ['schemas', 'parameters', 'headers', 'responses'].flatMap((kind) =>
      Object.keys(components[kind] ?? {}).map((name) => `${kind}/${name}`),
    );
    expect([...used].sort()).toEqual(there.sort());
    const parameters = new Set(interfaceRoutes.flatMap(({ parameters }) => parameters));
    expect([...parameters].sort()).toEqual(Object.keys(queryParameters).sort());
  });

  it('gives every operation a name of its own, and a schema to every body', () => {
    const paths = Object.values(document['paths'] as Record<string, Record<string, { operationId: string }>>);
    const ids = paths.flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);
    for (const { method, path, body } of interfaceRoutes) {
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
