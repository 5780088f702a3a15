/** The tokens that tests use, and the rules of the policy that each of them has. */
export const aclRules = {
  ns_read: 'namespace "default" { policy = "read" }',
  node_read: 'node { policy = "read" }',
  agent_read: 'agent { policy = "read" }',
  agent_write: 'agent { policy = "write" }',
} as const;

/** The name of the policy of a token: it has dashes where the token has what no policy may have. */
export function policyOf(token: string): string {
  return token.replace(/[^A-Za-z0-9-]/g, '-');
}
