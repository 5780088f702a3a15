/** The rights that a policy can grant within a namespace. */
export const namespaceCapabilities = [
  'list-jobs',
  'parse-job',
  'read-job',
  'submit-job',
  'register-job',
  'deregister-job',
  'purge-job',
  'dispatch-job',
  'read-logs',
  'read-fs',
  'alloc-exec',
  'alloc-node-exec',
  'alloc-lifecycle',
  'read-job-scaling',
  'scale-job',
  'list-scaling-policies',
  'read-scaling-policy',
  'submit-recommendation',
  'sentinel-override',
  'csi-register-plugin',
  'csi-write-volume',
  'csi-read-volume',
  'csi-list-volume',
  'csi-mount-volume',
  'host-volume-create',
  'host-volume-delete',
  'host-volume-read',
  'host-volume-register',
  'host-volume-write',
] as const;
export type NamespaceCapability = (typeof namespaceCapabilities)[number];

/** Names of sets of capabilities. */
export const namespacePolicies = ['deny', 'read', 'scale', 'write'] as const;
export type NamespacePolicy = (typeof namespacePolicies)[number];

/** The access that a policy grants to nodes, agents or the operator. */
export const coarsePolicies = ['deny', 'read', 'write'] as const;
export type CoarsePolicy = (typeof coarsePolicies)[number];

/** Policy rules for cluster features that this server does not have. They are validated and stored. */
export const nodePoolCapabilities = ['deny', 'delete', 'read', 'write'] as const;
export const hostVolumeCapabilities = ['deny', 'mount-readonly', 'mount-readwrite'] as const;
export const variableCapabilities = ['deny', 'list', 'read', 'write', 'destroy'] as const;
export const pluginPolicies = ['deny', 'list', 'read'] as const;

/** The access that a request needs to nodes, agents or the operator. Write includes read. */
export type Level = 'read' | 'write';

const reading: readonly NamespaceCapability[] = [
  'list-jobs',
  'parse-job',
  'read-job',
  'csi-list-volume',
  'csi-read-volume',
  'read-job-scaling',
  'list-scaling-policies',
  'read-scaling-policy',
  'host-volume-read',
];

const scaling: readonly NamespaceCapability[] = [
  'list-scaling-policies',
  'read-scaling-policy',
  'read-job-scaling',
  'scale-job',
];

const writing: readonly NamespaceCapability[] = [
  ...reading,
  'scale-job',
  'submit-job',
  'dispatch-job',
  'read-logs',
  'read-fs',
  'alloc-exec',
  'alloc-lifecycle',
  'csi-mount-volume',
  'csi-write-volume',
  'submit-recommendation',
  'host-volume-create',
  'host-volume-delete',
  'host-volume-register',
  'host-volume-write',
];

/** The capabilities that each name grants. `deny` is missing, because it revokes capabilities that other policies grant. */
export const capabilitiesOf: Readonly<
  Record<Exclude<NamespacePolicy, 'deny'>, readonly NamespaceCapability[]>
> = Object.freeze({ read: reading, scale: scaling, write: writing });
