import { idleParts, readPolicyRules } from '../../../services/acl/policy-rules.js';
import { badRequest } from '@tamis/scheduler-model/base/errors.js';
import {
  aclPolicies,
  aclPolicyShape,
  aclPolicyStub,
  maxPolicyDescriptionLength,
  policyName,
  type AclPolicy,
  type AclPolicyInput,
} from '@tamis/scheduler-model/acl-policy.js';
import { quote } from '@tamis/scheduler-model/quote.js';
import { deleteAclPolicy, writeAclPolicy } from '@tamis/scheduler-state/state/write-acl-policy.js';
import { acl } from '../../kernel/acl.js';
import { refuse } from '../../kernel/access.js';
import { readBody } from '../../kernel/requests/body.js';
import type { ClusterRoute } from '../../kernel/context.js';
import { crudRoutes } from '../../lists/crud-routes.js';

const path = '/v1/acl/policy/{name}';

const routes = crudRoutes<AclPolicy>({
  common: acl,
  nouns: ['a policy', 'policies'],
  table: 'acl_policies',
  list: {
    path: '/v1/acl/policies',
    // Callers without a management token can read the policies of their own token.
    right: {
      name: 'management',
      grant({ policies }) {
        if (policies === null) return null;
        return policies.size === 0 ? refuse() : ({ Name }) => policies.has(Name);
      },
    },
    entry: 'AclPolicyListStub',
    resource: aclPolicies,
    parameters: ['reverse'],
    stub: aclPolicyStub,
  },
  one: {
    path,
    right: {
      name: 'management',
      grant({ policies }, _query, id) {
        if (policies !== null && !policies.has(id)) refuse();
      },
    },
    schema: 'AclPolicy',
    missing: 'ACL policy not found',
  },
  writes: { schema: 'AclPolicyRequest' },
  remove: deleteAclPolicy,
});

/** The routes of policies. */
export const aclPolicyRoutes: readonly ClusterRoute[] = [
  routes.list,
  routes.listFor({
    path: `${path.slice(0, path.lastIndexOf('/'))}/self`,
    summary: 'List the policies of the token of the request',
    // A management token has no policies.
    right: {
      name: 'a token',
      grant({ policies }) {
        if (policies?.size === 0) refuse();
        return ({ Name }) => policies?.has(Name) === true;
      },
    },
  }),
  routes.read,
  routes.write({
    path,
    summary: 'Write a policy',
    parse: ({ request, id }) => checkPolicy(readBody(aclPolicyShape, request.body), id),
    async write(policy, { state }, _granted, { request }) {
      const index = await state.write((transaction) => writeAclPolicy(transaction, policy));
      const idle = idleParts(policy.Rules);
      // The response has no field for warnings.
      if (idle.length > 0)
        request.log.warn({ policy: policy.Name, idle }, 'parts of a policy have no effect here');
      return index;
    },
  }),
  routes.remove,
];

/** @throws SchedulerError `bad-request` */
function checkPolicy(
  given: AclPolicyInput,
  pathName: string,
): Pick<AclPolicy, 'Name' | 'Description' | 'Rules'> {
  const { Name = pathName, Description = '', Rules = '' } = given;
  if (Name !== pathName) throw badRequest('ACL policy name does not match request path');
  if (!policyName.test(Name)) {
    const quoted = quote(Name);
    throw badRequest(`invalid name ${quoted}: expected 1 to 128 letters, digits and dashes`);
  }
  if (Description.length > maxPolicyDescriptionLength) {
    throw badRequest(`description longer than ${maxPolicyDescriptionLength}`);
  }
  readPolicyRules(Rules);
  return { Name, Description, Rules };
}
