import { t, type FieldDefinitions, type StructType, type Type } from 'tamis';
import { readObject } from './read-shape.js';
import { fieldsOf, nanoseconds, uint16, uint32, type Input } from './row-type.js';
import { scalingShape } from './task-group.js';

// Rows store these blocks as arbitrary JSON, mostly without using them. The types match those of clients, which could not decode
// other values.

type FieldsOf<N extends string, T> = { readonly [K in N]: T };

/** Returns fields that all have one type. */
function all<const T extends Type, N extends string>(type: T, ...of: readonly N[]): FieldsOf<N, T> {
  return Object.fromEntries(of.map((name) => [name, type])) as FieldsOf<N, T>;
}

const texts = <N extends string>(...of: readonly N[]): FieldsOf<N, typeof t.string> => all(t.string, ...of);
const flags = <N extends string>(...of: readonly N[]): FieldsOf<N, typeof t.bool> => all(t.bool, ...of);
const integers = <N extends string>(...of: readonly N[]): FieldsOf<N, typeof t.int> => all(t.int, ...of);
const durations = <N extends string>(...of: readonly N[]): FieldsOf<N, typeof nanoseconds> =>
  all(nanoseconds, ...of);
const textList = t.list(t.string);
const textMap = t.map(t.string);

/** A port that a group requires: fixed or dynamic. */
const portShape = t.struct({
  ...texts('Label', 'HostNetwork'),
  ...integers('Value', 'To'),
  IgnoreCollision: t.bool,
});

export const networkShape = t.struct({
  ...texts('Mode', 'Device', 'CIDR', 'IP', 'Hostname'),
  MBits: t.int,
  DNS: t.nullable(t.struct(all(textList, 'Servers', 'Searches', 'Options'))),
  ReservedPorts: t.list(portShape),
  DynamicPorts: t.list(portShape),
  CNI: t.nullable(t.struct({ Args: textMap })),
});

const checkRestartShape = t.struct({ Limit: t.int, Grace: nanoseconds, IgnoreWarnings: t.bool });

const checkShape = {
  ...texts('Id', 'Name', 'Type', 'Command', 'Path', 'Protocol', 'PortLabel', 'AddressMode', 'InitialStatus'),
  ...texts('Notes', 'TLSServerName', 'Method', 'Body', 'GRPCService', 'TaskName', 'OnUpdate', 'Advertise'),
  ...flags('Expose', 'TLSSkipVerify', 'GRPCUseTLS'),
  ...durations('Interval', 'Timeout'),
  ...integers('SuccessBeforePassing', 'FailuresBeforeCritical', 'FailuresBeforeWarning'),
  Args: textList,
  Header: t.map(textList),
};

const exposePathShape = t.struct({ ...texts('Path', 'Protocol', 'ListenerPort'), LocalPathPort: t.int });

const proxyShape = t.struct({
  LocalServiceAddress: t.string,
  LocalServicePort: t.int,
  Config: t.map(t.any),
  Upstreams: t.list(
    t.struct({
      ...texts('DestinationName', 'DestinationNamespace', 'DestinationPeer', 'DestinationPartition'),
      ...texts('DestinationType', 'Datacenter', 'LocalBindAddress', 'LocalBindSocketPath'),
      LocalBindPort: t.int,
      LocalBindSocketMode: t.string,
      Config: t.map(t.any),
      MeshGateway: t.nullable(t.struct(texts('Mode'))),
    }),
  ),
  Expose: t.nullable(t.struct({ Paths: t.list(exposePathShape) })),
  ExposeConfig: t.nullable(t.struct(all(t.list(exposePathShape), 'Path', 'Paths'))),
  TransparentProxy: t.nullable(
    t.struct({
      UID: t.string,
      OutboundPort: uint16,
      ...all(textList, 'ExcludeInboundPorts', 'ExcludeOutboundCIDRs', 'ExcludeUIDs'),
      ExcludeOutboundPorts: t.list(uint16),
      NoDNS: t.bool,
    }),
  ),
});

const listenerTlsShape = t.struct({
  Enabled: t.bool,
  ...texts('TLSMinVersion', 'TLSMaxVersion'),
  CipherSuites: textList,
  SDS: t.nullable(t.struct(texts('ClusterName', 'CertResource'))),
});

const headerChanges = t.nullable(t.struct({ ...all(textMap, 'Add', 'Set'), Remove: textList }));

const gatewayShape = t.struct({
  Proxy: t.nullable(
    t.struct({
      ConnectTimeout: nanoseconds,
      EnvoyGatewayBindTaggedAddresses: t.bool,
      EnvoyGatewayBindAddresses: t.map(t.struct({ ...texts('Name', 'Address'), Port: t.int })),
      EnvoyGatewayNoDefaultBind: t.bool,
      EnvoyDNSDiscoveryType: t.string,
      Config: t.map(t.any),
    }),
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
              Name: t.string,
              Hosts: textList,
              TLS: t.nullable(listenerTlsShape),
              ...all(headerChanges, 'RequestHeaders', 'ResponseHeaders'),
              ...all(uint32, 'MaxConnections', 'MaxPendingRequests', 'MaxConcurrentRequests'),
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

const volumeMountShape = t.struct({
  ...texts('Volume', 'Destination', 'PropagationMode', 'SELinuxLabel'),
  ReadOnly: t.bool,
});

/** Service mesh settings of a service. They are stored unchanged and have no effect. */
const connectShape = t.struct({
  Native: t.bool,
  SidecarService: t.nullable(
    t.struct({
      Tags: textList,
      Port: t.string,
      Proxy: t.nullable(proxyShape),
      DisableDefaultTCPCheck: t.bool,
      Meta: textMap,
    }),
  ),
  SidecarTask: t.nullable(
    t.struct({
      ...texts('Name', 'Driver', 'User', 'KillSignal'),
      Config: t.map(t.any),
      Env: textMap,
      Meta: textMap,
      ...durations('KillTimeout', 'ShutdownDelay'),
      VolumeMounts: t.list(volumeMountShape),
      Resources: t.nullable(t.struct(integers('CPU', 'Cores', 'MemoryMB', 'MemoryMaxMB', 'DiskMB', 'IOPS'))),
      LogConfig: t.nullable(
        t.struct({ ...integers('MaxFiles', 'MaxFileSizeMB'), ...flags('Disabled', 'Enabled') }),
      ),
    }),
  ),
  Gateway: t.nullable(gatewayShape),
});

export const identityShape = t.struct({
  ...texts('Name', 'ChangeMode', 'ChangeSignal', 'Filepath', 'ServiceName'),
  ...all(textList, 'Audience', 'ExtraClaims'),
  ...flags('Env', 'File'),
  TTL: nanoseconds,
});

export const serviceShape = t.struct({
  EnableTagOverride: t.bool,
  ...texts('Id', 'Name', 'PortLabel', 'TaskName', 'Provider', 'AddressMode', 'Address', 'OnUpdate'),
  ...texts('Cluster', 'Kind'),
  ...all(textList, 'Tags', 'CanaryTags'),
  ...all(textMap, 'Meta', 'CanaryMeta', 'TaggedAddresses'),
  Identity: t.nullable(identityShape),
  Weights: t.nullable(t.struct(integers('Passing', 'Warning'))),
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

export const scalingFields = {
  Namespace: t.string,
  Target: textMap,
  ...all(t.uint, 'CreateIndex', 'ModifyIndex'),
};

export const numaShape = t.struct({ Affinity: t.string, Devices: textList });

/** Task blocks that rows store as given, here with their types. */
export const taskBlocks = {
  Services: t.list(serviceShape),
  Secrets: t.list(t.struct({ ...texts('Name', 'Provider', 'Path'), Config: t.map(t.any), Env: textMap })),
  Vault: t.nullable(
    t.struct({
      Policies: textList,
      ...texts('Role', 'Namespace', 'Cluster', 'ChangeMode', 'ChangeSignal'),
      ...flags('Env', 'DisableFile', 'AllowTokenExpiration'),
    }),
  ),
  Consul: t.nullable(t.struct(texts('Cluster', 'Namespace', 'Partition'))),
  Templates: t.list(
    t.struct({
      ...texts('SourcePath', 'DestPath', 'EmbeddedTmpl', 'ChangeMode', 'ChangeSignal', 'Perms'),
      ...texts('LeftDelim', 'RightDelim'),
      ...durations('Splay', 'VaultGrace'),
      ...integers('Uid', 'Gid'),
      ...flags('Envvars', 'ErrMissingKey', 'Once'),
      ChangeScript: t.nullable(
        t.struct({
          Command: t.string,
          Args: textList,
          Timeout: nanoseconds,
          ...flags('FailOnError', 'RunOnFirstRender'),
        }),
      ),
      Wait: t.nullable(t.struct(durations('Min', 'Max'))),
    }),
  ),
  Artifacts: t.list(
    t.struct({
      ...texts('GetterSource', 'GetterMode', 'RelativeDest'),
      ...all(textMap, 'GetterOptions', 'GetterHeaders'),
      ...flags('GetterInsecure', 'Chown'),
    }),
  ),
  VolumeMounts: t.list(volumeMountShape),
  ScalingPolicies: t.list(t.struct({ ...fieldsOf(scalingShape), ...scalingFields })),
  CSIPluginConfig: t.nullable(
    t.struct({ ...texts('ID', 'Type', 'MountDir', 'StagePublishBaseDir'), HealthTimeout: nanoseconds }),
  ),
  Identity: t.nullable(identityShape),
  Identities: t.list(identityShape),
  Actions: t.list(t.struct({ ...texts('Name', 'Command'), Args: textList })),
  Schedule: t.nullable(t.struct({ Cron: t.nullable(t.struct(texts('Start', 'End', 'Timezone'))) })),
} as const satisfies FieldDefinitions;

export const groupBlocks = {
  Networks: t.list(networkShape),
  Consul: taskBlocks.Consul,
  Services: t.list(serviceShape),
  Disconnect: t.nullable(disconnectShape),
  Volumes: t.map(
    t.struct({
      ...texts('Name', 'Type', 'Source', 'AttachmentMode', 'AccessMode'),
      ...flags('ReadOnly', 'Sticky', 'PerAlloc'),
      MountOptions: t.nullable(t.struct({ FSType: t.string, MountFlags: textList })),
    }),
  ),
} as const satisfies FieldDefinitions;

export type NetworkInput = Input<typeof networkShape>;
export type PortInput = Input<typeof portShape>;
export type ServiceInput = Input<typeof serviceShape>;
export type DisconnectInput = Input<typeof disconnectShape>;

/** Reads blocks with their types; rows store them as arbitrary JSON. Null in a list is an empty block. */
export function readBlocks<S extends StructType>(
  shape: S,
  blocks: readonly unknown[] | null,
): readonly Input<S>[] {
  return (blocks ?? []).map((block) => {
    const given: unknown = readObject(shape, block ?? {}, '');
    return given as Input<S>;
  });
}
