import type { ListName } from './command.js';

/** API paths of the lists. */
export const listPaths: Readonly<Record<ListName, string>> = {
  jobs: '/v1/jobs',
  nodes: '/v1/nodes',
  allocations: '/v1/allocations',
  deployments: '/v1/deployments',
  evaluations: '/v1/evaluations',
  namespaces: '/v1/namespaces',
  acl_tokens: '/v1/acl/tokens',
  acl_policies: '/v1/acl/policies',
};
