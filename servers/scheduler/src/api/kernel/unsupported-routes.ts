/**
 * Routes of the original scheduler that this server lacks. Clients receive a specific error, because an empty 404 could also be a
 * wrong address. `:name` is a path segment, `:name*` any number of them. Implemented routes take precedence.
 */
const unbuiltRoutes: readonly string[] = [
  '/v1/jobs/parse',
  '/v1/jobs/statuses',
  ...['services', 'submission', 'actions', 'action', 'versions/tag', 'tag'].map(
    (word) => `/v1/job/:job_id*/${word}`,
  ),
  '/v1/job/:job_id*/versions/:name/tag',
  '/v1/node/pools',
  '/v1/node/pool',
  '/v1/node/pool/:name',
  '/v1/node/pool/:name/jobs',
  '/v1/node/pool/:name/nodes',
  ...['services', 'checks', 'pause'].map((word) => `/v1/allocation/:alloc_id/${word}`),
  '/v1/evaluations/count',
  '/v1/deployment/unblock/:deployment_id',
  '/v1/deployment/multiregion/:deployment_id*',
  '/v1/client/gc',
  '/v1/client/stats',
  '/v1/client/metadata',
  '/v1/client/identity',
  '/v1/client/identity/renew',
  ...['stats', 'gc', 'exec', 'snapshot', 'checks', 'pause'].map(
    (word) => `/v1/client/allocation/:alloc_id/${word}`,
  ),
  '/v1/agent/keyring/:operation',
  '/v1/agent/monitor/export',
  '/v1/agent/reload',
  '/v1/acl/token/onetime',
  '/v1/acl/token/onetime/exchange',
  '/v1/acl/roles',
  '/v1/acl/role',
  '/v1/acl/role/:role_id',
  '/v1/acl/role/name/:name',
  '/v1/acl/auth-methods',
  '/v1/acl/auth-method',
  '/v1/acl/auth-method/:name',
  '/v1/acl/binding-rules',
  '/v1/acl/binding-rule',
  '/v1/acl/binding-rule/:rule_id',
  '/v1/acl/oidc/auth-url',
  '/v1/acl/oidc/complete-auth',
  '/v1/acl/login',
  '/v1/acl/identity/client-introduction-token',
  '/v1/search',
  '/v1/search/fuzzy',
  '/v1/system/gc',
  '/v1/system/reconcile/summaries',
  '/v1/operator/raft/:operation',
  '/v1/operator/keyring/:operation',
  '/v1/operator/keyring/key/:key_id',
  '/v1/operator/autopilot/configuration',
  '/v1/operator/autopilot/health',
  '/v1/operator/scheduler/configuration',
  '/v1/operator/snapshot',
  '/v1/operator/license',
  '/v1/operator/utilization',
  '/v1/operator/upgrade-check/:check',
  '/v1/scaling/policies',
  '/v1/scaling/policy/:policy_id',
  '/v1/plugins',
  '/v1/plugin/csi/:plugin_id',
  '/v1/volumes',
  '/v1/volumes/external',
  '/v1/volumes/snapshot',
  '/v1/volume/host',
  '/v1/volume/host/create',
  '/v1/volume/host/register',
  '/v1/volume/host/:volume_id',
  '/v1/volume/host/:volume_id/delete',
  '/v1/volume/csi/:volume_id',
  '/v1/volume/csi/:volume_id/create',
  '/v1/volume/csi/:volume_id/delete',
  '/v1/volume/csi/:volume_id/detach',
  '/v1/volumes/claims',
  '/v1/volumes/claim/:claim_id',
  '/v1/volume/claim/:claim_id',
  '/v1/services',
  '/v1/service/:name',
  '/v1/service/:name/:service_id',
  '/v1/vars',
  '/v1/var/:path*',
  '/v1/quotas',
  '/v1/quota',
  '/v1/quota/:name',
  '/v1/quota/usage/:name',
  '/v1/quota-usages',
  '/v1/sentinel/policies',
  '/v1/sentinel/policy/:name',
  '/v1/recommendations',
  '/v1/recommendations/apply',
  '/v1/recommendation',
  '/v1/recommendation/:recommendation_id',
  '/.well-known/jwks.json',
  '/.well-known/openid-configuration',
];

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
