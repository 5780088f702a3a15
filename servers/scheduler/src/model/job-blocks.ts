import { readObject } from './read-shape.js';
import { s, type Fields, type Input, type ScalarShape, type StructShape } from './shape.js';

type AnyFields<N extends string> = { readonly [K in N]: ScalarShape<'any'> };

/** A block of which only the names are known: nothing here reads it, and a name that it does not have is a mistake. */
function names<N extends string>(...of: readonly N[]): StructShape<AnyFields<N>> {
  return s.struct(Object.fromEntries(of.map((name) => [name, s.any])) as AnyFields<N>);
}

/** One port that a group asks for: a fixed one, or any that is free. */
export const portShape = s.struct({
  Label: s.string,
  Value: s.int,
  To: s.int,
  HostNetwork: s.string,
  IgnoreCollision: s.bool,
});

export const networkShape = s.struct({
  Mode: s.string,
  Device: s.string,
  CIDR: s.string,
  IP: s.string,
  Hostname: s.string,
  MBits: s.int,
  DNS: s.nullable(names('Servers', 'Searches', 'Options')),
  ReservedPorts: s.list(portShape),
  DynamicPorts: s.list(portShape),
  CNI: s.any,
});

const checkRestartShape = names('Limit', 'Grace', 'IgnoreWarnings');

const checkShape = names(
  ...(['Id', 'Name', 'Type', 'Command', 'Args', 'Path', 'Protocol', 'PortLabel', 'Expose'] as const),
  ...(['AddressMode', 'Interval', 'Timeout', 'InitialStatus', 'Notes', 'TLSServerName'] as const),
  ...(['TLSSkipVerify', 'Header', 'Method', 'Body', 'GRPCService', 'GRPCUseTLS', 'TaskName'] as const),
  ...(['SuccessBeforePassing', 'FailuresBeforeCritical', 'FailuresBeforeWarning', 'OnUpdate'] as const),
);

export const serviceShape = s.struct({
  ...names(
    ...(['Id', 'Tags', 'CanaryTags', 'EnableTagOverride', 'AddressMode', 'Address', 'Meta'] as const),
    ...(['CanaryMeta', 'TaggedAddresses', 'OnUpdate', 'Identity', 'Cluster', 'Weights', 'Kind'] as const),
  ).fields,
  Name: s.string,
  PortLabel: s.string,
  TaskName: s.string,
  Provider: s.string,
  Checks: s.list(s.struct({ ...checkShape.fields, CheckRestart: s.nullable(checkRestartShape) })),
  CheckRestart: s.nullable(checkRestartShape),
  Connect: s.nullable(names('Native', 'Gateway', 'SidecarService', 'SidecarTask')),
});

export const disconnectShape = s.struct({
  LostAfter: s.int,
  StopOnClientAfter: s.nullable(s.int),
  Replace: s.nullable(s.bool),
  Reconcile: s.string,
});

export const scalingFields = names('Namespace', 'Target', 'CreateIndex', 'ModifyIndex').fields;

export const identityShape = s.struct({
  ...names('Name', 'Audience', 'ChangeMode', 'ChangeSignal', 'Filepath', 'ServiceName').fields,
  ...names('TTL', 'ExtraClaims').fields,
  Env: s.bool,
  File: s.bool,
});

export const numaShape = s.struct({ Affinity: s.string, Devices: s.any });

/** What tasks may ask for and rows keep as it was given, here with the names of its fields. */
export const taskBlocks = {
  Services: s.list(serviceShape),
  Secrets: s.list(names('Name', 'Provider', 'Path', 'Config', 'Env')),
  Vault: s.nullable(
    names(
      ...(['Policies', 'Role', 'Namespace', 'Cluster', 'Env', 'DisableFile', 'ChangeMode'] as const),
      ...(['ChangeSignal', 'AllowTokenExpiration'] as const),
    ),
  ),
  Consul: s.nullable(names('Cluster', 'Namespace', 'Partition')),
  Templates: s.list(
    names(
      ...(['SourcePath', 'DestPath', 'EmbeddedTmpl', 'ChangeMode', 'ChangeScript', 'ChangeSignal'] as const),
      ...(['Splay', 'Perms', 'Uid', 'Gid', 'LeftDelim', 'RightDelim', 'Envvars', 'VaultGrace'] as const),
      ...(['Wait', 'ErrMissingKey', 'Once'] as const),
    ),
  ),
  Artifacts: s.list(
    names(
      ...(['GetterSource', 'GetterOptions', 'GetterHeaders', 'GetterMode', 'GetterInsecure'] as const),
      ...(['RelativeDest', 'Chown'] as const),
    ),
  ),
  VolumeMounts: s.list(names('Volume', 'Destination', 'ReadOnly', 'PropagationMode', 'SELinuxLabel')),
  ScalingPolicies: s.list(
    names(...(['ID', 'Type', 'Min', 'Max', 'Enabled', 'Policy'] as const), ...objectKeys(scalingFields)),
  ),
  CSIPluginConfig: s.nullable(names('ID', 'Type', 'MountDir', 'StagePublishBaseDir', 'HealthTimeout')),
  Identity: s.nullable(identityShape),
  Identities: s.list(identityShape),
  Actions: s.list(names('Name', 'Command', 'Args')),
  Schedule: s.nullable(names('Cron')),
} as const satisfies Fields;

export const groupBlocks = {
  Networks: s.list(networkShape),
  Consul: taskBlocks.Consul,
  Services: s.list(serviceShape),
  Disconnect: s.nullable(disconnectShape),
  Volumes: s.map(
    names(
      ...(['Name', 'Type', 'Source', 'ReadOnly', 'Sticky', 'AttachmentMode', 'AccessMode'] as const),
      ...(['MountOptions', 'PerAlloc'] as const),
    ),
  ),
} as const satisfies Fields;

function objectKeys<K extends string>(of: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(of) as K[];
}

export type NetworkInput = Input<typeof networkShape>;
export type PortInput = Input<typeof portShape>;
export type ServiceInput = Input<typeof serviceShape>;
export type DisconnectInput = Input<typeof disconnectShape>;

/** Blocks with their types, which rows do not have: they keep them as any JSON. Null in a list is an empty block. */
export function readBlocks<S extends StructShape>(
  shape: S,
  blocks: readonly unknown[] | null,
): readonly Input<S>[] {
  return (blocks ?? []).map((block) => {
    const given: unknown = readObject(shape, block ?? {}, '');
    return given as Input<S>;
  });
}
