/**
 * Routes of the original scheduler that this server lacks, by their common prefix. Clients receive a specific error, because an
 * empty 404 could also be a wrong address. `:name` is a path segment, `:name*` any number of them. Implemented routes take
 * precedence.
 */
const unbuiltRoutes = Object.entries({
  '/v1/jobs': 'parse statuses',
  '/v1/job/:job_id*': 'services submission actions action versions/tag tag versions/:name/tag',
  '/v1/node': 'pools pool pool/:name pool/:name/jobs pool/:name/nodes',
  '/v1/allocation/:alloc_id': 'services checks pause',
  '/v1/evaluations': 'count',
  '/v1/deployment': 'unblock/:deployment_id multiregion/:deployment_id*',
  '/v1/client/allocation/:alloc_id': 'stats gc exec snapshot checks pause',
  '/v1/client': 'gc stats metadata identity identity/renew',
  '/v1/agent': 'keyring/:operation monitor/export reload',
  '/v1/acl':
    'token/onetime token/onetime/exchange roles role role/:role_id role/name/:name auth-methods ' +
    'auth-method auth-method/:name binding-rules binding-rule binding-rule/:rule_id oidc/auth-url ' +
    'oidc/complete-auth login identity/client-introduction-token',
  '/v1/system': 'gc reconcile/summaries',
  '/v1/operator':
    'raft/:operation keyring/:operation keyring/key/:key_id autopilot/configuration ' +
    'autopilot/health scheduler/configuration snapshot license utilization upgrade-check/:check',
  '/v1/scaling': 'policies policy/:policy_id',
  '/v1/volumes': 'external snapshot claims claim/:claim_id',
  '/v1/volume':
    'host host/create host/register host/:volume_id host/:volume_id/delete csi/:volume_id ' +
    'csi/:volume_id/create csi/:volume_id/delete csi/:volume_id/detach claim/:claim_id',
  '/.well-known': 'jwks.json openid-configuration',
  '/v1':
    'search search/fuzzy plugins plugin/csi/:plugin_id volumes services service/:name ' +
    'service/:name/:service_id vars var/:path* quotas quota quota/:name quota/usage/:name ' +
    'quota-usages sentinel/policies sentinel/policy/:name recommendations recommendations/apply ' +
    'recommendation recommendation/:recommendation_id',
}).flatMap(([prefix, routes]) => routes.split(' ').map((route) => `${prefix}/${route}`));

const patterns = unbuiltRoutes.map((route) => ({ route, pattern: patternOf(route) }));

function patternOf(route: string): RegExp {
  const source = route
    .replace(/[.]/g, '\\$&')
    .replace(/:\w+\*/g, '.+')
    .replace(/:\w+/g, '[^/]+');
  // Job IDs may contain line breaks.
  return new RegExp(`^${source}$`, 's');
}

/** Returns the route of the original that matches a path; null if none exists. */
export function unbuiltRoute(path: string): string | null {
  return patterns.find(({ pattern }) => pattern.test(path))?.route ?? null;
}

/** Returns the message for a path without a route; empty if the original does not have it either. */
export function explainMissing(path: string): string {
  const route = unbuiltRoute(path);
  return route === null ? '' : `This server does not have ${route.replaceAll('*', '')}`;
}
