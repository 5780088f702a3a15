import { t, type AnyType, type FieldDefinitions, type StructType } from 'tamis';
import { readObject } from './read-shape.js';
import { fieldsOf, nanoseconds, type Input } from './row-type.js';

type AnyFields<N extends string> = { readonly [K in N]: AnyType };

/** A block of which only the names are known: nothing here reads it, and a name that it does not have is a mistake. */
function names<N extends string>(...of: readonly N[]): StructType<AnyFields<N>> {
  return t.struct(Object.fromEntries(of.map((name) => [name, t.any])) as AnyFields<N>);
}

/** One port that a group requires: a fixed one, or any free one. */
const portShape = t.struct({
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
  CNI: t.nullable(names('Args')),
});

/** The same with texts and lists of them, where they are all that such a name can have. */
function texts<N extends string>(...of: readonly N[]): FieldsOf<N, typeof t.string> {
  return Object.fromEntries(of.map((name) => [name, t.string])) as FieldsOf<N, typeof t.string>;
}

type FieldsOf<N extends string, T> = { readonly [K in N]: T };

const checkRestartShape = names('Limit', 'Grace', 'IgnoreWarnings');

const checkShape = {
  ...texts('Id', 'Name', 'Type', 'Command', 'Path', 'Protocol', 'PortLabel', 'AddressMode', 'InitialStatus'),
  ...texts('Notes', 'TLSServerName', 'Method', 'Body', 'GRPCService', 'TaskName', 'OnUpdate'),
  ...fieldsOf(names('Expose', 'Interval', 'Timeout', 'TLSSkipVerify', 'GRPCUseTLS')),
  ...fieldsOf(names('SuccessBeforePassing', 'FailuresBeforeCritical', 'FailuresBeforeWarning')),
  Args: t.list(t.string),
  Header: t.map(t.list(t.string)),
};

const proxyShape = t.struct({
  ...fieldsOf(names('LocalServicePort', 'Config')),
  LocalServiceAddress: t.string,
  Upstreams: t.list(
    t.struct({
      ...texts('DestinationName', 'DestinationNamespace', 'DestinationPeer', 'DestinationPartition'),
      ...texts('DestinationType', 'Datacenter', 'LocalBindAddress', 'LocalBindSocketPath'),
      ...fieldsOf(names('LocalBindPort', 'LocalBindSocketMode', 'Config')),
      MeshGateway: t.nullable(names('Mode')),
    }),
  ),
  Expose: t.nullable(t.struct({ Paths: t.list(names('Path', 'Protocol', 'LocalPathPort', 'ListenerPort')) })),
  ExposeConfig: t.any,
  TransparentProxy: t.nullable(
    names(
      ...(['UID', 'OutboundPort', 'ExcludeInboundPorts', 'ExcludeOutboundPorts'] as const),
      ...(['ExcludeOutboundCIDRs', 'ExcludeUIDs', 'NoDNS'] as const),
    ),
  ),
});

const listenerTlsShape = names('Enabled', 'TLSMinVersion', 'TLSMaxVersion', 'CipherSuites', 'SDS');

const gatewayShape = t.struct({
  Proxy: t.nullable(
    names(
      ...(['ConnectTimeout', 'EnvoyGatewayBindTaggedAddresses', 'EnvoyGatewayBindAddresses'] as const),
      ...(['EnvoyGatewayNoDefaultBind', 'EnvoyDNSDiscoveryType', 'Config'] as const),
    ),
  ),
  Ingress: t.nullable(
    t.struct({
      TLS: t.nullable(listenerTlsShape),
      Listeners: t.list(
        t.struct({
          Port: t.int,
          Protocol: t.string,
          Services: t.list(
            t.struct({
              ...fieldsOf(names('TLS', 'RequestHeaders', 'ResponseHeaders', 'MaxConnections')),
              ...fieldsOf(names('MaxPendingRequests', 'MaxConcurrentRequests')),
              Name: t.string,
              Hosts: t.list(t.string),
            }),
          ),
        }),
      ),
    }),
  ),
  Terminating: t.nullable(
    t.struct({ Services: t.list(t.struct(texts('Name', 'CAFile', 'CertFile', 'KeyFile', 'SNI'))) }),
  ),
  Mesh: t.nullable(t.struct({})),
});

/** How a service takes part in a mesh. Nothing here sets it up; it is kept as it was given. */
const connectShape = t.struct({
  Native: t.any,
  SidecarService: t.nullable(
    t.struct({
      Tags: t.list(t.string),
      Port: t.string,
      Proxy: t.nullable(proxyShape),
      DisableDefaultTCPCheck: t.any,
      Meta: t.map(t.string),
    }),
  ),
  SidecarTask: t.nullable(
    t.struct({
      ...fieldsOf(names('Config', 'KillTimeout', 'ShutdownDelay', 'VolumeMounts')),
      ...texts('Name', 'Driver', 'User', 'KillSignal'),
      Env: t.map(t.string),
      Meta: t.map(t.string),
      Resources: t.nullable(names('CPU', 'Cores', 'MemoryMB', 'MemoryMaxMB', 'DiskMB', 'IOPS')),
      LogConfig: t.nullable(names('MaxFiles', 'MaxFileSizeMB', 'Disabled', 'Enabled')),
    }),
  ),
  Gateway: t.nullable(gatewayShape),
});

export const serviceShape = t.struct({
  ...fieldsOf(names('EnableTagOverride')),
  ...texts('Id', 'Name', 'PortLabel', 'TaskName', 'Provider', 'AddressMode', 'Address', 'OnUpdate'),
  ...texts('Cluster', 'Kind'),
  Tags: t.list(t.string),
  CanaryTags: t.list(t.string),
  Meta: t.map(t.string),
  CanaryMeta: t.map(t.string),
  TaggedAddresses: t.map(t.string),
  Identity: t.nullable(
    names(
      ...(['Name', 'Audience', 'ChangeMode', 'ChangeSignal', 'Env', 'File', 'Filepath'] as const),
      ...(['ServiceName', 'TTL', 'ExtraClaims'] as const),
    ),
  ),
  Weights: t.nullable(names('Passing', 'Warning')),
  Checks: t.list(t.struct({ ...checkShape, CheckRestart: t.nullable(checkRestartShape) })),
  CheckRestart: t.nullable(checkRestartShape),
  Connect: t.nullable(connectShape),
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
