/** The capabilities that a policy can allow on a path; `deny` removes all of them. */
export const capabilities = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo', 'deny'] as const;
export type Capability = (typeof capabilities)[number];

/** The capabilities on all paths that match a pattern. */
export interface PolicyRule {
  /** A path in which a segment `+` matches any one segment, and a final `*` matches any rest. */
  readonly pattern: string;
  readonly capabilities: readonly Capability[];
}

export interface Policy {
  readonly name: string;
  /** The policy as the operator wrote it. */
  readonly text: string;
  readonly rules: readonly PolicyRule[];
}
