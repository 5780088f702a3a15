import { describe, expect, it } from 'vitest';
import { createTestAgent, call } from '../support/test-agent.js';
import { decodedPathOf } from '../../src/api/kernel/request.js';
import { unbuiltRoute } from '../../src/api/kernel/unsupported-routes.js';

/** Routes of the original, with words for IDs. One that is implemented here returns something else. */
const original: [method: string, path: string, route?: string][] = [
  ['PUT', '/v1/jobs/parse'],
  ['POST', '/v1/validate/job'],
  ['POST', '/v1/job/web/plan', '/v1/job/:job_id/plan'],
  ['PUT', '/v1/job/web/revert', '/v1/job/:job_id/revert'],
  ['GET', '/v1/job/web/scale', '/v1/job/:job_id/scale'],
  ['POST', '/v1/job/a/b/c/scale', '/v1/job/:job_id/scale'],
  ['GET', '/v1/job/a%2Fb/submission', '/v1/job/:job_id/submission'],
  ['GET', '/v1/job/web/services', '/v1/job/:job_id/services'],
  ['GET', '/v1/job/web/actions', '/v1/job/:job_id/actions'],
  ['GET', '/v1/node/pools'],
  ['GET', '/v1/node/pools?namespace=*', '/v1/node/pools'],
  ['PUT', '/v1/node/pools'],
  ['GET', '/v1/node/pool/default', '/v1/node/pool/:name'],
  ['DELETE', '/v1/node/pool/a%2Fb', '/v1/node/pool/:name'],
  ['GET', '/v1/node/pool/default/nodes', '/v1/node/pool/:name/nodes'],
  ['POST', '/v1/allocation/1/stop', '/v1/allocation/:alloc_id/stop'],
  ['GET', '/v1/allocation/1/checks', '/v1/allocation/:alloc_id/checks'],
  ['GET', '/v1/evaluations/count'],
  ['PUT', '/v1/deployment/unblock/1', '/v1/deployment/unblock/:deployment_id'],
  ['GET', '/v1/client/fs/logs/1', '/v1/client/fs/logs/:alloc_id'],
  ['GET', '/v1/client/stats'],
  ['GET', '/v1/client/allocation/1/stats', '/v1/client/allocation/:alloc_id/stats'],
  ['GET', '/v1/agent/keyring/list', '/v1/agent/keyring/:operation'],
  ['GET', '/v1/acl/roles'],
  ['PUT', '/v1/acl/token/onetime'],
  ['POST', '/v1/acl/login'],
  ['POST', '/v1/search'],
  ['PUT', '/v1/search/fuzzy'],
  ['PUT', '/v1/system/gc'],
  ['GET', '/v1/operator/raft/configuration', '/v1/operator/raft/:operation'],
  ['GET', '/v1/operator/scheduler/configuration'],
  ['GET', '/v1/operator/snapshot'],
  ['GET', '/v1/scaling/policies'],
  ['GET', '/v1/plugins'],
  ['GET', '/v1/volumes?type=csi', '/v1/volumes'],
  ['GET', '/v1/volume/csi/db', '/v1/volume/csi/:volume_id'],
  ['GET', '/v1/services'],
  ['GET', '/v1/service/web', '/v1/service/:name'],
  ['GET', '/v1/vars'],
  ['PUT', '/v1/var/a/b/c', '/v1/var/:path'],
  ['GET', '/v1/quotas'],
  ['GET', '/v1/sentinel/policies'],
  ['GET', '/.well-known/jwks.json'],
  ['PUT', '/v1/acl/identity/client-introduction-token'],
  ['PUT', '/v1/agent/reload'],
  ['DELETE', '/v1/volumes/claim/x', '/v1/volumes/claim/:claim_id'],
  ['GET', '/v1/job/a%0Ab/services', '/v1/job/:job_id/services'],
];

describe('a route of the original that is not here', () => {
  it.each(original.map(([method, path, route = path]) => ({ method, path, route })))(
    '$method $path is named, or responds',
    async ({ method, path, route }) => {
      const agent = await createTestAgent();
      const response = await call(agent, path, { method });
      if (unbuiltRoute(decodedPathOf({ raw: { url: path } as never })) === null) {
        expect(response.text).not.toBe('');
        return;
      }
      expect([response.status, response.text]).toEqual([404, `This server does not have ${route}`]);
      expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    },
  );

  it.each([
    '/v1',
    '/v1/',
    '/v1/jobs/',
    '/v1/nowhere',
    '/v1/searches',
    '/v1/search/',
    '/v1/job/web/plans/none/at/all/of/it/x/',
    '/v1/client/fs/rm/1',
    '/x/v1/search',
    '/v1/SEARCH',
    '/.well-known/security.txt',
  ])('is not %s, which does not exist', async (path) => {
    const response = await call(await createTestAgent(), path);
    expect(response.status).toBe(404);
    expect(response.text).toBe(path.startsWith('/v1/job/') ? 'job not found' : '');
  });
});
