/** The capabilities that a policy can allow on a path; `deny` takes everything away. */
export const capabilities = ['create', 'read', 'update', 'patch', 'delete', 'list', 'sudo', 'deny'] as const;
export type Capability = (typeof capabilities)[number];

/** Capabilities on the paths that a pattern fits. */
export interface PolicyRule {
  /** A path in which a segment `+` fits any one segment, and a `*` at the end any rest. */
  readonly pattern: string;
  readonly capabilities: readonly Capability[];
}

export interface Policy {
  readonly name: string;
  /** As it was written. */
  readonly text: string;
  readonly rules: readonly PolicyRule[];
}
