import { t, type AnyType, type FieldDefinitions, type StructType } from 'tamis';
import { readObject } from './read-shape.js';
import { fieldsOf, nanoseconds, type Input } from './row-type.js';

type AnyFields<N extends string> = { readonly [K in N]: AnyType };

/** A block of which only the names are known: nothing here reads it, and a name that it does not have is a mistake. */
function names<N extends string>(...of: readonly N[]): StructType<AnyFields<N>> {
  return t.struct(Object.fromEntries(of.map((name) => [name, t.any])) as AnyFields<N>);
}

/** One port that a group asks for: a fixed one, or any that is free. */
export const portShape = t.struct({
  Label: t.string,
  Value: t.int,
  To: t.int,
  HostNetwork: t.string,
  IgnoreCollision: t.bool,
});

export const networkShape = t.struct({
  Mode: t.string,
  Device: t.string,
  CIDR: t.string,
  IP: t.string,
  Hostname: t.string,
  MBits: t.int,
  DNS: t.nullable(names('Servers', 'Searches', 'Options')),
  ReservedPorts: t.list(portShape),
  DynamicPorts: t.list(portShape),
  CNI: t.any,
});

const checkRestartShape = names('Limit', 'Grace', 'IgnoreWarnings');

const checkShape = names(
  ...(['Id', 'Name', 'Type', 'Command', 'Args', 'Path', 'Protocol', 'PortLabel', 'Expose'] as const),
  ...(['AddressMode', 'Interval', 'Timeout', 'InitialStatus', 'Notes', 'TLSServerName'] as const),
  ...(['TLSSkipVerify', 'Header', 'Method', 'Body', 'GRPCService', 'GRPCUseTLS', 'TaskName'] as const),
  ...(['SuccessBeforePassing', 'FailuresBeforeCritical', 'FailuresBeforeWarning', 'OnUpdate'] as const),
);

export const serviceShape = t.struct({
  ...fieldsOf(
    names(
      ...(['Id', 'Tags', 'CanaryTags', 'EnableTagOverride', 'AddressMode', 'Address', 'Meta'] as const),
      ...(['CanaryMeta', 'TaggedAddresses', 'OnUpdate', 'Identity', 'Cluster', 'Weights', 'Kind'] as const),
    ),
  ),
  Name: t.string,
  PortLabel: t.string,
  TaskName: t.string,
  Provider: t.string,
  Checks: t.list(t.struct({ ...fieldsOf(checkShape), CheckRestart: t.nullable(checkRestartShape) })),
  CheckRestart: t.nullable(checkRestartShape),
  Connect: t.nullable(names('Native', 'Gateway', 'SidecarService', 'SidecarTask')),
});

export const disconnectShape = t.struct({
  LostAfter: nanoseconds,
  StopOnClientAfter: t.nullable(nanoseconds),
  Replace: t.nullable(t.bool),
  Reconcile: t.string,
});

export const scalingFields = fieldsOf(names('Namespace', 'Target', 'CreateIndex', 'ModifyIndex'));

export const identityShape = t.struct({
  ...fieldsOf(names('Name', 'Audience', 'ChangeMode', 'ChangeSignal', 'Filepath', 'ServiceName')),
  ...fieldsOf(names('TTL', 'ExtraClaims')),
  Env: t.bool,
  File: t.bool,
});

export const numaShape = t.struct({ Affinity: t.string, Devices: t.any });

/** Blocks of tasks that rows keep as they were given, here with the names of its fields. */
export const taskBlocks = {
  Services: t.list(serviceShape),
  Secrets: t.list(names('Name', 'Provider', 'Path', 'Config', 'Env')),
  Vault: t.nullable(
    names(
      ...(['Policies', 'Role', 'Namespace', 'Cluster', 'Env', 'DisableFile', 'ChangeMode'] as const),
      ...(['ChangeSignal', 'AllowTokenExpiration'] as const),
    ),
  ),
  Consul: t.nullable(names('Cluster', 'Namespace', 'Partition')),
  Templates: t.list(
    names(
      ...(['SourcePath', 'DestPath', 'EmbeddedTmpl', 'ChangeMode', 'ChangeScript', 'ChangeSignal'] as const),
      ...(['Splay', 'Perms', 'Uid', 'Gid', 'LeftDelim', 'RightDelim', 'Envvars', 'VaultGrace'] as const),
      ...(['Wait', 'ErrMissingKey', 'Once'] as const),
    ),
  ),
  Artifacts: t.list(
    names(
      ...(['GetterSource', 'GetterOptions', 'GetterHeaders', 'GetterMode', 'GetterInsecure'] as const),
      ...(['RelativeDest', 'Chown'] as const),
    ),
  ),
  VolumeMounts: t.list(names('Volume', 'Destination', 'ReadOnly', 'PropagationMode', 'SELinuxLabel')),
  ScalingPolicies: t.list(
    names(...(['ID', 'Type', 'Min', 'Max', 'Enabled', 'Policy'] as const), ...objectKeys(scalingFields)),
  ),
  CSIPluginConfig: t.nullable(names('ID', 'Type', 'MountDir', 'StagePublishBaseDir', 'HealthTimeout')),
  Identity: t.nullable(identityShape),
  Identities: t.list(identityShape),
  Actions: t.list(names('Name', 'Command', 'Args')),
  Schedule: t.nullable(names('Cron')),
} as const satisfies FieldDefinitions;

export const groupBlocks = {
  Networks: t.list(networkShape),
  Consul: taskBlocks.Consul,
  Services: t.list(serviceShape),
  Disconnect: t.nullable(disconnectShape),
  Volumes: t.map(
    names(
      ...(['Name', 'Type', 'Source', 'ReadOnly', 'Sticky', 'AttachmentMode', 'AccessMode'] as const),
      ...(['MountOptions', 'PerAlloc'] as const),
    ),
  ),
} as const satisfies FieldDefinitions;

function objectKeys<K extends string>(of: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(of) as K[];
}

export type NetworkInput = Input<typeof networkShape>;
export type PortInput = Input<typeof portShape>;
export type ServiceInput = Input<typeof serviceShape>;
export type DisconnectInput = Input<typeof disconnectShape>;

/** Blocks with their types, which rows do not have: they keep them as any JSON. Null in a list is an empty block. */
export function readBlocks<S extends StructType>(
  shape: S,
  blocks: readonly unknown[] | null,
): readonly Input<S>[] {
  return (blocks ?? []).map((block) => {
    const given: unknown = readObject(shape, block ?? {}, '');
    return given as Input<S>;
  });
}
