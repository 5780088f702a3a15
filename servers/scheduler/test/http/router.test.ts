import { describe, expect, it } from 'vitest';
import { decodedPathOf } from '../../src/api/kernel/request.js';
import { createRouter } from '../../src/api/kernel/routing.js';
import type { RouteFacts } from '../../src/api/kernel/route.js';

const routes: readonly Pick<RouteFacts, 'method' | 'path'>[] = [
  { method: 'get', path: '/v1/jobs' },
  { method: 'put', path: '/v1/jobs' },
  { method: 'get', path: '/v1/job/{job_id}' },
  { method: 'delete', path: '/v1/job/{job_id}' },
  { method: 'get', path: '/v1/job/{job_id}/summary' },
  { method: 'put', path: '/v1/job/{job_id}/periodic/force' },
  { method: 'get', path: '/v1/deployment/{deployment_id}' },
  { method: 'put', path: '/v1/deployment/fail/{deployment_id}' },
  { method: 'get', path: '/v1/acl/token/self' },
  { method: 'put', path: '/v1/acl/token/{accessor_id}' },
  { method: 'any', path: '/v1/agent/monitor' },
];
const router = createRouter(routes);
const find = (method: string, url: string) => router.find(method, decodedPathOf({ raw: { url } as never }));

describe('a router', () => {
  it.each<[method: string, path: string, found: string, id?: string]>([
    ['GET', '/v1/jobs', 'get /v1/jobs', ''],
    ['PUT', '/v1/jobs', 'put /v1/jobs', ''],
    ['POST', '/v1/jobs', 'put /v1/jobs', ''],
    ['DELETE', '/v1/jobs', 'wrong-method'],
    ['HEAD', '/v1/jobs', 'wrong-method'],
    ['GET', '/v1/jobs/', 'missing'],
    ['GET', '/v1/job', 'missing'],
    ['GET', '/v1/job/', 'get /v1/job/{job_id}', ''],
    ['GET', '/v1/job/web', 'get /v1/job/{job_id}', 'web'],
    ['GET', '/v1/job/a/b%20c/%3F', 'get /v1/job/{job_id}', 'a/b c/?'],
    ['GET', '/v1/job/a/summary', 'get /v1/job/{job_id}/summary', 'a'],
    ['GET', '/v1/job/a/summary/summary', 'get /v1/job/{job_id}/summary', 'a/summary'],
    ['GET', '/v1/job//summary', 'get /v1/job/{job_id}/summary', ''],
    ['GET', '/v1/job/summary', 'get /v1/job/{job_id}', 'summary'],
    ['GET', '/v1/job/a/summary/b', 'get /v1/job/{job_id}', 'a/summary/b'],
    ['PUT', '/v1/job/a/periodic/force', 'put /v1/job/{job_id}/periodic/force', 'a'],
    ['DELETE', '/v1/job/a/periodic/force', 'wrong-method'],
    ['PUT', '/v1/job/a', 'wrong-method'],
    // An escaped slash is part of the ID.
    ['GET', '/v1/job/a%2Fsummary', 'get /v1/job/{job_id}', 'a/summary'],
    ['GET', '/v1/job/a%2fsummary', 'get /v1/job/{job_id}', 'a/summary'],
    ['GET', '/v1/job/a%2Fsummary/summary', 'get /v1/job/{job_id}/summary', 'a/summary'],
    ['GET', '/v1/job/%2Fsummary', 'get /v1/job/{job_id}', '/summary'],
    ['GET', '/v1/job/a%252Fsummary', 'get /v1/job/{job_id}', 'a%2Fsummary'],
    ['GET', '/v1/job/a/%73ummary', 'get /v1/job/{job_id}/summary', 'a'],
    ['DELETE', '/v1/job/a%2Fperiodic%2Fforce', 'delete /v1/job/{job_id}', 'a/periodic/force'],
    ['GET', '/v1/job/a%2Fservices', 'get /v1/job/{job_id}', 'a/services'],
    ['GET', '/v1%2Fjobs', 'missing'],
    ['PUT', '/v1/acl/token%2Fself', 'missing'],
    // The original has it, and this server does not: that is no ID.
    ['GET', '/v1/job/a/services', 'missing'],
    ['PUT', '/v1/job/a/services', 'missing'],
    ['GET', '/v1/deployment/x', 'get /v1/deployment/{deployment_id}', 'x'],
    ['GET', '/v1/deployment/fail/x', 'wrong-method'],
    ['PUT', '/v1/deployment/fail/x/y', 'put /v1/deployment/fail/{deployment_id}', 'x/y'],
    ['GET', '/v1/acl/token/self', 'get /v1/acl/token/self', ''],
    ['PUT', '/v1/acl/token/self', 'wrong-method'],
    ['TRACE', '/v1/agent/monitor', 'any /v1/agent/monitor', ''],
    ['GET', '/v1/__proto__', 'missing'],
  ])('%s %s: %s', (method, path, expected, id) => {
    const found = find(method, path);
    if (typeof found === 'string') expect(found).toBe(expected);
    else expect([`${found.route.method} ${found.route.path}`, found.id]).toEqual([expected, id]);
  });
});
