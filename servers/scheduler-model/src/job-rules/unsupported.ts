import type { Steps } from '@tamis/http';
import {
  disconnectShape,
  identityShape,
  numaShape,
  readBlocks,
  serviceShape,
  type DisconnectInput,
  type NetworkInput,
} from '../job-blocks.js';
import type { Job } from '../job.js';
import { quote } from '../quote.js';
import type { TaskGroup } from '../task-group.js';
import type { Task } from '../task.js';
import { networksOf } from './networks.js';

/** Warnings about unsupported features of a job. */
export interface Unsupported {
  /** Features without which a task would run incorrectly; the job is rejected. */
  readonly refused: readonly string[];
  /** Features whose absence is only inconvenient. */
  readonly warned: readonly string[];
}

/** An unsupported field: when it is used, and the consequence. */
interface Lack<T> {
  readonly field: string;
  readonly isUsed: (block: T) => boolean;
  readonly why: string;
}

const jobWarned: readonly Lack<Job>[] = [
  lack('Multiregion', (job) => job.Multiregion !== null, 'the job runs in this region only'),
  lack('ConsulNamespace', (job) => job.ConsulNamespace !== '', 'nothing here talks to Consul'),
  lack('VaultNamespace', (job) => job.VaultNamespace !== '', 'nothing here talks to Vault'),
  lack('AllAtOnce', (job) => job.AllAtOnce, 'what fits is placed, the rest as soon as there is room'),
];

/** Unsupported service settings of groups and tasks. */
const services: readonly Lack<Pick<TaskGroup, 'Services'>>[] = [
  lack(
    'Services',
    hasChecks,
    'services are not registered and checks are not run, health follows the states of the tasks',
  ),
  lack(
    'Services',
    (block) => hasAny(block.Services) && !hasChecks(block),
    'services are kept and shown, and not registered anywhere',
  ),
];

const groupRefused: readonly Lack<TaskGroup>[] = [
  lack(
    'Volumes',
    ({ Volumes }) => hasAny(Volumes),
    'volumes are not mounted, tasks would run without their data',
  ),
  lack(
    'StopAfterClientDisconnect',
    ({ StopAfterClientDisconnect: after }) => isSet(after),
    'a node that has lost its servers stops nothing, so tasks could run twice',
  ),
  lack(
    'PreventRescheduleOnLost',
    (group) => group.PreventRescheduleOnLost,
    'what is lost is placed again, so tasks could run twice',
  ),
  lack(
    'Disconnect.StopOnClientAfter',
    (group) => isSet(disconnectOf(group).StopOnClientAfter),
    'a node that has lost its servers stops nothing, so tasks could run twice',
  ),
  lack(
    'Disconnect.Replace',
    (group) => disconnectOf(group).Replace === false,
    'what is lost is placed again, so tasks could run twice',
  ),
];

const groupWarned: readonly Lack<TaskGroup>[] = [
  lack('Services.Connect', hasConnect, 'no sidecar is started and no mesh is set up'),
  ...services,
  lack(
    'Scaling',
    ({ Scaling }) => Scaling !== null,
    'nothing here scales the group, its Min and Max bound the count',
  ),
  lack('Consul', ({ Consul }) => Consul !== null, 'nothing here talks to Consul'),
  lack(
    'MaxClientDisconnect',
    ({ MaxClientDisconnect: after }) => isSet(after),
    'what runs on a node that is away is lost at once, and replaced',
  ),
  lack(
    'Disconnect',
    (group) => isSet(disconnectOf(group).LostAfter) || (disconnectOf(group).Reconcile ?? '') !== '',
    'what runs on a node that is away is lost at once, and replaced',
  ),
  lack(
    'ShutdownDelay',
    ({ ShutdownDelay: delay }) => isSet(delay),
    'tasks wait for a ShutdownDelay of their own only',
  ),
  lack(
    'EphemeralDisk',
    ({ EphemeralDisk: disk }) => disk !== null && (disk.Sticky || disk.Migrate),
    'Sticky and Migrate move nothing, a new allocation starts with an empty directory',
  ),
];

const taskRefused: readonly Lack<Task>[] = [
  lack(
    'Templates',
    ({ Templates }) => hasAny(Templates),
    'templates are not rendered, the task would run without their files',
  ),
  lack(
    'Artifacts',
    ({ Artifacts }) => hasAny(Artifacts),
    'artifacts are not fetched, the task would run without them',
  ),
  lack(
    'Vault',
    ({ Vault }) => Vault !== null,
    'nothing here talks to Vault, the task would run without its token',
  ),
  lack(
    'Secrets',
    ({ Secrets }) => hasAny(Secrets),
    'secrets are not fetched, the task would run without them',
  ),
  lack(
    'VolumeMounts',
    ({ VolumeMounts }) => hasAny(VolumeMounts),
    'volumes are not mounted, the task would run without its data',
  ),
  lack(
    'Kind',
    ({ Kind }) => Kind !== '',
    'proxies and gateways are not set up, the task would run without its configuration',
  ),
  lack('CSIPluginConfig', (task) => task.CSIPluginConfig !== null, 'tasks cannot serve as storage plugins'),
  lack('Schedule', ({ Schedule }) => Schedule !== null, 'tasks run at all times, not only within a schedule'),
  lack(
    'Resources.Devices',
    ({ Resources }) => hasAny(Resources?.Devices ?? null),
    'devices are not handed out, so the task would never be placed',
  ),
  lack(
    'Resources.NUMA',
    (task) => numaOf(task) === 'require',
    'cores are not chosen by their distance, the task would run on any',
  ),
  lack(
    'Identity',
    ({ Identity }) => requiresToken(Identity),
    'no identity tokens are issued, the task would run without one',
  ),
  lack(
    'Identities',
    ({ Identities }) => (Identities ?? []).some(requiresToken),
    'no identity tokens are issued, the task would run without one',
  ),
];

const taskWarned: readonly Lack<Task>[] = [
  ...services,
  lack('Consul', ({ Consul }) => Consul !== null, 'nothing here talks to Consul'),
  lack(
    'ScalingPolicies',
    (task) => hasAny(task.ScalingPolicies),
    'nothing here scales the resources of a task',
  ),
  lack('Actions', ({ Actions }) => hasAny(Actions), 'actions are kept and shown, and cannot be run'),
  lack(
    'Identities',
    ({ Identities }) => hasAny(Identities) && !(Identities ?? []).some(requiresToken),
    'no identity tokens are issued',
  ),
  lack('Resources.NUMA', (task) => numaOf(task) === 'prefer', 'cores are not chosen by their distance'),
  lack(
    'Resources.SecretsMB',
    ({ Resources }) => Number(Resources?.SecretsMB ?? 0) > 0,
    'the directory for secrets is not limited',
  ),
];

/** Fields that are rejected in any form, and why. */
const alwaysRefused: ReadonlyMap<string, string> = new Map(
  [...groupRefused, ...taskRefused]
    .filter(({ field }) =>
      [
        'Volumes',
        'Templates',
        'Artifacts',
        'Vault',
        'Secrets',
        'VolumeMounts',
        'CSIPluginConfig',
        'Schedule',
      ].includes(field),
    )
    .map(({ field, why }) => [field, why]),
);

/** Returns why a field is rejected whatever its value; null if it is not. */
export function whyRefused(field: string): string | null {
  return alwaysRefused.get(field) ?? null;
}

function lack<T>(field: string, isUsed: Lack<T>['isUsed'], why: string): Lack<T> {
  return { field, isUsed, why };
}

/** Returns the unsupported features that a job uses. */
export function* findUnsupported(job: Job): Steps<Unsupported> {
  const refused: string[] = [];
  const warned = namesOf('Job', job, jobWarned);
  for (const [at, group] of (job.TaskGroups ?? []).entries()) {
    const path = `Job.TaskGroups[${at}]`;
    refused.push(...namesOf(path, group, groupRefused), ...networkRefusals(path, group));
    refused.push(...upstreamRefusals(path, group));
    warned.push(...namesOf(path, group, groupWarned), ...networkWarnings(path, group));
    for (const [place, task] of (group.Tasks ?? []).entries()) {
      yield;
      const taskPath = `${path}.Tasks[${place}]`;
      refused.push(...namesOf(taskPath, task, taskRefused), ...upstreamRefusals(taskPath, task));
      warned.push(...namesOf(taskPath, task, taskWarned));
    }
  }
  return { refused, warned };
}

function namesOf<T>(path: string, block: T, lacks: readonly Lack<T>[]): string[] {
  return lacks.filter(({ isUsed }) => isUsed(block)).map(({ field, why }) => `${path}.${field}: ${why}`);
}

/** A local process uses the network of the machine unchanged. Drivers of other programs handle networks themselves. */
function networkRefusals(path: string, group: TaskGroup): string[] {
  const runsPrograms = (group.Tasks ?? []).some(({ Driver }) => Driver === 'raw_exec');
  return networksOf(group).flatMap(({ path: at, network }) => [
    ...(runsPrograms && isApart(network)
      ? [`${path}.${at}.Mode: tasks of raw_exec share the network of their node, no other is set up`]
      : []),
    ...hostNetworksOf(network).map(
      (name) => `${path}.${at}: nodes have no host network ${quote(name)}, ports are on their one address`,
    ),
  ]);
}

/** Rejects upstreams, because no proxy listens where the task expects one. */
function upstreamRefusals(path: string, { Services }: Pick<TaskGroup, 'Services'>): string[] {
  return readBlocks(serviceShape, Services).flatMap(({ Connect }, at) => {
    const names = (Connect?.SidecarService?.Proxy?.Upstreams ?? []).map((one) =>
      quote(one?.DestinationName ?? ''),
    );
    const field = `${path}.Services[${at}].Connect.SidecarService.Proxy.Upstreams`;
    const listed = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ', ...' : ''}`;
    return names.length === 0 ? [] : [`${field}: no sidecar is started, so tasks would not reach ${listed}`];
  });
}

function isApart({ Mode = '' }: NetworkInput): boolean {
  return Mode !== '' && Mode !== 'host';
}

function hostNetworksOf({ ReservedPorts = [], DynamicPorts = [] }: NetworkInput): readonly string[] {
  const names = [...ReservedPorts, ...DynamicPorts].map((port) => port?.HostNetwork ?? '');
  return [...new Set(names)].filter((name) => name !== '' && name !== 'default');
}

function networkWarnings(path: string, group: TaskGroup): string[] {
  return networksOf(group).flatMap(({ path: at, network }) => [
    ...(Number(network.MBits ?? 0) > 0
      ? [`${path}.${at}.MBits: bandwidth is not limited; the field is deprecated`]
      : []),
    ...(network.DNS !== undefined ? [`${path}.${at}.DNS: tasks resolve names as their node does`] : []),
    ...((network.Hostname ?? '') !== '' ? [`${path}.${at}.Hostname: tasks keep the name of their node`] : []),
  ]);
}

function hasAny(blocks: readonly unknown[] | Readonly<Record<string, unknown>> | null): boolean {
  return blocks !== null && Object.keys(blocks).length > 0;
}

function isSet(value: number | bigint | null | undefined): boolean {
  return value !== null && value !== undefined && Number(value) !== 0;
}

function hasChecks({ Services }: Pick<TaskGroup, 'Services'>): boolean {
  return readBlocks(serviceShape, Services).some(({ Checks }) => (Checks ?? []).length > 0);
}

function hasConnect({ Services }: Pick<TaskGroup, 'Services'>): boolean {
  return readBlocks(serviceShape, Services).some(({ Connect }) => Connect !== undefined && Connect !== null);
}

function disconnectOf({ Disconnect }: TaskGroup): DisconnectInput {
  const [block] = Disconnect === null ? [] : readBlocks(disconnectShape, [Disconnect]);
  return block ?? {};
}

function numaOf({ Resources }: Task): string {
  const numa = Resources?.NUMA ?? null;
  const [block] = numa === null ? [] : readBlocks(numaShape, [numa]);
  return block?.Affinity ?? '';
}

function requiresToken(identity: unknown): boolean {
  if (identity === null || identity === undefined) return false;
  const [block] = readBlocks(identityShape, [identity]);
  return block?.Env === true || block?.File === true;
}
