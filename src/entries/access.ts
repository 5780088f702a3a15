export { definePolicy, type Policy, type PolicyLimits, type PolicyOptions } from '../access/policy.js';
export type { AccessRule } from '../access/rule.js';
export { AccessLimitError, PolicyError, type PolicyErrorCode } from '../access/policy-error.js';
export type { PolicyFinding } from '../access/findings.js';
export type { AccessExplanation, RuleExplanation } from '../access/explain-access.js';
export type { AccessFilter } from '../filter/access-filter.js';
