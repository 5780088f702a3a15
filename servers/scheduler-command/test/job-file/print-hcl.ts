import type { Body } from '../../../scheduler-model/test/jobs.js';

// A job in JSON as HCL, by names that are written down here once more: what reads it derives them.

const names: Readonly<Record<string, string>> = {
  ...{
    Name: 'name',
    Type: 'type',
    Priority: 'priority',
    AllAtOnce: 'all_at_once',
    Datacenters: 'datacenters',
  },
  ...{ Count: 'count', ShutdownDelay: 'shutdown_delay', MaxRunDuration: 'max_run_duration' },
  ...{
    Driver: 'driver',
    User: 'user',
    Leader: 'leader',
    KillTimeout: 'kill_timeout',
    KillSignal: 'kill_signal',
  },
  ...{ Attempts: 'attempts', Interval: 'interval', Delay: 'delay', Mode: 'mode', MaxDelay: 'max_delay' },
  ...{ DelayFunction: 'delay_function', Unlimited: 'unlimited', MaxParallel: 'max_parallel' },
  ...{ MinHealthyTime: 'min_healthy_time', HealthyDeadline: 'healthy_deadline', HealthCheck: 'health_check' },
  ...{
    ProgressDeadline: 'progress_deadline',
    Stagger: 'stagger',
    AutoRevert: 'auto_revert',
    Canary: 'canary',
  },
  ...{
    CPU: 'cpu',
    Cores: 'cores',
    MemoryMB: 'memory',
    MemoryMaxMB: 'memory_max',
    SizeMB: 'size',
    File: 'file',
  },
  ...{
    MaxFiles: 'max_files',
    MaxFileSizeMB: 'max_file_size',
    Hook: 'hook',
    Spec: 'cron',
    TimeZone: 'time_zone',
  },
  ...{ Payload: 'payload', MetaRequired: 'meta_required', MetaOptional: 'meta_optional', Weight: 'weight' },
  ...{
    LTarget: 'attribute',
    RTarget: 'value',
    Operand: 'operator',
    Attribute: 'attribute',
    Percent: 'percent',
  },
};
const blocks: Readonly<Record<string, string>> = {
  ...{ Update: 'update', Migrate: 'migrate', RestartPolicy: 'restart', ReschedulePolicy: 'reschedule' },
  ...{ EphemeralDisk: 'ephemeral_disk', Resources: 'resources', LogConfig: 'logs', Lifecycle: 'lifecycle' },
  ...{ DispatchPayload: 'dispatch_payload', Periodic: 'periodic', ParameterizedJob: 'parameterized' },
  ...{
    Constraints: 'constraint',
    Affinities: 'affinity',
    Spreads: 'spread',
    Services: 'service',
    Checks: 'check',
  },
};
const labelled: Readonly<Record<string, readonly [block: string, label: string]>> = {
  TaskGroups: ['group', 'Name'],
  Tasks: ['task', 'Name'],
  SpreadTarget: ['target', 'Value'],
};
const durations = new Set([
  ...['Interval', 'Delay', 'MaxDelay', 'MinHealthyTime', 'HealthyDeadline', 'ProgressDeadline', 'Stagger'],
  ...['ShutdownDelay', 'MaxRunDuration', 'KillTimeout'],
]);

/** A job as the text of a file. */
export function printHcl({ ID, ...job }: Body): string {
  return `job ${quote(ID)} {\n${print(job)}}\n`;
}

function print(fields: Body): string {
  return Object.entries(fields)
    .map(([name, value]) => (value === null ? '' : printField(name, value)))
    .join('');
}

function printField(name: string, value: unknown): string {
  if (name === 'Meta' || name === 'Env') return printMap(name.toLowerCase(), value as Body);
  if (name === 'Config') return `config = ${literal(value)}\n`;
  if (name === 'Networks')
    return (value as Body[]).map((one) => `network {\n${printNetwork(one)}}\n`).join('');
  if (Object.hasOwn(labelled, name)) return printLabelled(labelled[name]!, value as Body[]);
  if (Object.hasOwn(blocks, name)) {
    const all = (Array.isArray(value) ? value : [value]) as Body[];
    return all.map((one) => `${blocks[name]} {\n${print(one)}}\n`).join('');
  }
  if (!Object.hasOwn(names, name)) {
    // Templates and artifacts, which are not supported.
    if (Array.isArray(value) && value.length === 0) return '';
    throw new Error(`${name} has no name in HCL here`);
  }
  return `${names[name]} = ${durations.has(name) ? quote(`${Number(value) / 1_000_000}ms`) : literal(value)}\n`;
}

function printLabelled([block, label]: readonly [string, string], all: readonly Body[]): string {
  return all.map(({ [label]: name, ...fields }) => `${block} ${quote(name)} {\n${print(fields)}}\n`).join('');
}

function printMap(name: string, map: Body): string {
  const entries = Object.entries(map).map(([key, value]) => `${quote(key)} = ${quote(value)}\n`);
  return `${name} {\n${entries.join('')}}\n`;
}

function printNetwork({ ReservedPorts, DynamicPorts }: Body): string {
  const ports = [ReservedPorts, DynamicPorts].flatMap((list) => (list ?? []) as Body[]);
  return ports
    .map(({ Label, Value, To }) => {
      const fixed = Value === undefined ? '' : `static = ${literal(Value)}\n`;
      return `port ${quote(Label)} {\n${fixed}${To === undefined ? '' : `to = ${literal(To)}\n`}}\n`;
    })
    .join('');
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? quote(value) : JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => `${quote(key)} = ${literal(inner)}`);
  return `{ ${entries.join(', ')} }`;
}

function quote(text: unknown): string {
  return JSON.stringify(text);
}
