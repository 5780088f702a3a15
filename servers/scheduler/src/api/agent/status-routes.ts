import type { Access } from '../../services/acl/access.js';
import { knownRegions } from '../../services/membership/known-regions.js';
import { jsonResponse } from '../kernel/response.js';
import type { HttpContext, ClusterRoute } from '../kernel/context.js';
import { defineRoute } from '../kernel/pipeline.js';
import { noRight } from '../kernel/rights.js';
import type { RouteFacts } from '../kernel/route.js';

/** Creates a route about the cluster itself. It has no index, so it cannot be a blocking query. */
function statusRoute(
  facts: Pick<RouteFacts, 'path' | 'summary' | 'response'> & Partial<Pick<RouteFacts, 'forward'>>,
  respond: (context: HttpContext) => unknown,
): ClusterRoute {
  return defineRoute<HttpContext, Access, void, void>({
    tag: 'status',
    right: noRight,
    forward: 'region',
    ...facts,
    open: (context) => ({
      parse: () => undefined,
      handle: async (_input, _granted, call) => jsonResponse(call, await respond(context)),
    }),
  });
}

/** The routes about the cluster. */
export const statusRoutes: readonly ClusterRoute[] = [
  statusRoute(
    { path: '/v1/status/leader', summary: 'Read the address of the leader', response: { kind: 'text' } },
    ({ leader }) => {
      const current = leader.current();
      return current.location === 'nobody' ? '' : current.server.address;
    },
  ),
  statusRoute(
    { path: '/v1/status/peers', summary: 'List the addresses of the servers', response: { kind: 'texts' } },
    ({ serverAddresses }) => serverAddresses(),
  ),
  statusRoute(
    // Each agent reports the regions that it knows, so the request is not forwarded.
    { path: '/v1/regions', summary: 'List the regions', response: { kind: 'texts' }, forward: 'none' },
    ({ agent: { server }, forwarder }) => {
      const { names } = forwarder.regions;
      return server === null ? names : knownRegions(names, server.membership);
    },
  ),
];
