import type { StructType } from 'tamis';

/** HCL names that are not the lower-case names of the API. */
const renamed: Readonly<Record<string, string>> = {
  TaskGroups: 'group',
  Tasks: 'task',
  Constraints: 'constraint',
  Affinities: 'affinity',
  Spreads: 'spread',
  SpreadTarget: 'target',
  RestartPolicy: 'restart',
  ReschedulePolicy: 'reschedule',
  ParameterizedJob: 'parameterized',
  Networks: 'network',
  Services: 'service',
  Checks: 'check',
  LogConfig: 'logs',
  MaxFileSizeMB: 'max_file_size',
  SizeMB: 'size',
  MemoryMB: 'memory',
  MemoryMaxMB: 'memory_max',
  DiskMB: 'disk',
  SecretsMB: 'secrets',
  MBits: 'mbits',
  PortLabel: 'port',
  TaskName: 'task',
  LTarget: 'attribute',
  RTarget: 'value',
  Operand: 'operator',
  Spec: 'cron',
  Specs: 'crons',
  Templates: 'template',
  Artifacts: 'artifact',
  Volumes: 'volume',
  VolumeMounts: 'volume_mount',
  Devices: 'device',
  Actions: 'action',
  ScalingPolicies: 'scaling',
  CSIPluginConfig: 'csi_plugin',
  Links: 'link',
  Identities: 'identity',
  Audience: 'aud',
  Secrets: 'secret',
  Regions: 'region',
  Listeners: 'listener',
  Paths: 'path',
  ExcludeOutboundCIDRs: 'exclude_outbound_cidrs',
  ExcludeUIDs: 'exclude_uids',
  UI: 'ui',
};

/** Fields of a job that the cluster writes, and secrets of other systems. Files cannot contain them. */
const ownedOfJob: ReadonlySet<string> = new Set([
  ...['Stop', 'ParentID', 'Dispatched', 'DispatchIdempotencyToken', 'Payload', 'Status', 'StatusDescription'],
  ...['Stable', 'Version', 'SubmitTime', 'CreateIndex', 'ModifyIndex', 'JobModifyIndex', 'VersionTag'],
  ...['SchedulerTokenID', 'NomadTokenID'],
]);

/** Fields that have a different form in files. */
const otherForms: ReadonlySet<string> = new Set(['ReservedPorts', 'DynamicPorts']);

/** Fields set by the label of a block: `group "web" { ... }`. */
const labels: ReadonlyMap<string, string> = new Map([
  ['TaskGroups', 'Name'],
  ['Tasks', 'Name'],
  ['SpreadTarget', 'Value'],
  ['Devices', 'Name'],
  ['Actions', 'Name'],
  ['Regions', 'Name'],
  ['ScalingPolicies', 'Type'],
]);

/** Returns the name of a field in HCL: `max_parallel` for `MaxParallel`. */
export function hclName(property: string): string {
  return (
    renamed[property] ??
    property
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
      .toLowerCase()
  );
}

/** Returns the field set by the label of a block; null for blocks without a label. */
export function labelField(property: string): string | null {
  return labels.get(property) ?? null;
}

/** Returns the fields of a block that can be written in HCL. @param property its API name, empty for the job. */
export function writableFields({ properties }: StructType, property: string): readonly string[] {
  const label = labelField(property);
  const isOwned = (name: string): boolean => property === '' && ownedOfJob.has(name);
  // A task has any number of `identity` blocks; `Identity` is its older field.
  const isOlder = (name: string): boolean => name === 'Identity' && properties.has('Identities');
  return [...properties.keys()].filter(
    (name) => name !== label && !isOwned(name) && !isOlder(name) && !otherForms.has(name),
  );
}
