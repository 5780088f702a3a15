import { t } from 'tamis';
import { defineResource } from './resource.js';
import { base64, type Input, type Row } from './row-type.js';

/** A named set of ACL rules. Tokens refer to it by name. */
export const aclPolicyShape = t.struct({
  Name: t.string,
  Description: t.string,
  /** HCL 1 or JSON text. */
  Rules: t.hidden(t.string),
  Hash: base64,
  CreateIndex: t.uint,
  ModifyIndex: t.uint,
});

export type AclPolicy = Row<typeof aclPolicyShape>;
export type AclPolicyInput = Input<typeof aclPolicyShape>;

export const policyName = /^[A-Za-z0-9-]{1,128}$/;

/** Maximum length of a description, in UTF-16 units. */
export const maxPolicyDescriptionLength = 256;

/** The policy of callers without a token. */
export const anonymousPolicy = 'anonymous';

/** Returns a policy as lists show it: without its rules. */
export function aclPolicyStub(policy: AclPolicy): object {
  return {
    Name: policy.Name,
    Description: policy.Description,
    Hash: policy.Hash,
    CreateIndex: policy.CreateIndex,
    ModifyIndex: policy.ModifyIndex,
  };
}

export const aclPolicies = defineResource({
  name: 'AclPolicy',
  shape: aclPolicyShape,
  key: ({ Name }) => Name,
  idField: 'Name',
  listField: 'Name',
  sorts: ['Name'],
  views: { AclPolicy: { project: (policy) => policy }, AclPolicyListStub: { project: aclPolicyStub } },
});
