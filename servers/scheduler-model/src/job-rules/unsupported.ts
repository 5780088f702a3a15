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

/** An unsupported field: its consequence, and when it is used. Default: when it has a value, see `isGiven`. */
type Lack<T> = readonly [field: string, why: string, isUsed?: (block: T) => boolean];

const jobWarned: readonly Lack<Job>[] = [
  ['Multiregion', 'the job runs in this region only'],
  ['ConsulNamespace', 'nothing here talks to Consul'],
  ['VaultNamespace', 'nothing here talks to Vault'],
  ['AllAtOnce', 'what fits is placed, the rest as soon as there is room'],
];

/** Unsupported service settings of groups and tasks. */
const services: readonly Lack<Pick<TaskGroup, 'Services'>>[] = [
  [
    'Services',
    'services are not registered and checks are not run, health follows the states of the tasks',
    hasChecks,
  ],
  [
    'Services',
    'services are kept and shown, and not registered anywhere',
    (block) => isGiven(block.Services) && !hasChecks(block),
  ],
];

/** Blocks of groups and tasks that are rejected whatever they contain. */
const refusedGroupBlocks: readonly Lack<TaskGroup>[] = [
  [
    'Volumes',
    'volumes are not mounted, tasks would run without their data',
    ({ Volumes }) => Object.keys(Volumes ?? {}).length > 0,
  ],
];
const refusedTaskBlocks: readonly Lack<Task>[] = [
  ['Templates', 'templates are not rendered, the task would run without their files'],
  ['Artifacts', 'artifacts are not fetched, the task would run without them'],
  ['Vault', 'nothing here talks to Vault, the task would run without its token'],
  ['Secrets', 'secrets are not fetched, the task would run without them'],
  ['VolumeMounts', 'volumes are not mounted, the task would run without its data'],
  ['CSIPluginConfig', 'tasks cannot serve as storage plugins'],
  ['Schedule', 'tasks run at all times, not only within a schedule'],
];

const stopsNothing = 'a node that has lost its servers stops nothing, so tasks could run twice';
const placedAgain = 'what is lost is placed again, so tasks could run twice';
const lostAtOnce = 'what runs on a node that is away is lost at once, and replaced';
const noIdentities = 'no identity tokens are issued';

const groupRefused: readonly Lack<TaskGroup>[] = [
  ...refusedGroupBlocks,
  ['StopAfterClientDisconnect', stopsNothing],
  ['PreventRescheduleOnLost', placedAgain],
  ['Disconnect.StopOnClientAfter', stopsNothing, (group) => isGiven(disconnectOf(group).StopOnClientAfter)],
  ['Disconnect.Replace', placedAgain, (group) => disconnectOf(group).Replace === false],
];

const groupWarned: readonly Lack<TaskGroup>[] = [
  ['Services.Connect', 'no sidecar is started and no mesh is set up', hasConnect],
  ...services,
  ['Scaling', 'nothing here scales the group, its Min and Max bound the count'],
  ['Consul', 'nothing here talks to Consul'],
  ['MaxClientDisconnect', lostAtOnce],
  [
    'Disconnect',
    lostAtOnce,
    (group) => isGiven(disconnectOf(group).LostAfter) || isGiven(disconnectOf(group).Reconcile),
  ],
  ['ShutdownDelay', 'tasks wait for a ShutdownDelay of their own only'],
  [
    'EphemeralDisk',
    'Sticky and Migrate move nothing, a new allocation starts with an empty directory',
    ({ EphemeralDisk: disk }) => disk !== null && (disk.Sticky || disk.Migrate),
  ],
];

const taskRefused: readonly Lack<Task>[] = [
  ...refusedTaskBlocks,
  ['Kind', 'proxies and gateways are not set up, the task would run without its configuration'],
  [
    'Resources.Devices',
    'devices are not handed out, so the task would never be placed',
    ({ Resources }) => isGiven(Resources?.Devices),
  ],
  [
    'Resources.NUMA',
    'cores are not chosen by their distance, the task would run on any',
    (task) => numaOf(task) === 'require',
  ],
  ['Identity', `${noIdentities}, the task would run without one`, ({ Identity }) => requiresToken(Identity)],
  [
    'Identities',
    `${noIdentities}, the task would run without one`,
    ({ Identities }) => (Identities ?? []).some(requiresToken),
  ],
];

const taskWarned: readonly Lack<Task>[] = [
  ...services,
  ['Consul', 'nothing here talks to Consul'],
  ['ScalingPolicies', 'nothing here scales the resources of a task'],
  ['Actions', 'actions are kept and shown, and cannot be run'],
  [
    'Identities',
    noIdentities,
    ({ Identities }) => isGiven(Identities) && !(Identities ?? []).some(requiresToken),
  ],
  ['Resources.NUMA', 'cores are not chosen by their distance', (task) => numaOf(task) === 'prefer'],
  [
    'Resources.SecretsMB',
    'the directory for secrets is not limited',
    ({ Resources }) => Number(Resources?.SecretsMB ?? 0) > 0,
  ],
];

/** Fields that are rejected in any form, and why. */
const alwaysRefused: ReadonlyMap<string, string> = new Map(
  [...refusedGroupBlocks, ...refusedTaskBlocks].map(([field, why]) => [field, why]),
);

/** Returns why a field is rejected whatever its value; null if it is not. */
export function whyRefused(field: string): string | null {
  return alwaysRefused.get(field) ?? null;
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

function namesOf<T extends object>(path: string, block: T, lacks: readonly Lack<T>[]): string[] {
  return lacks.flatMap(([field, why, isUsed = () => isGiven((block as Record<string, unknown>)[field])]) =>
    isUsed(block) ? [`${path}.${field}: ${why}`] : [],
  );
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

/** Whether a value is not null, false, 0 or empty. A block is given even if it has no fields. */
function isGiven(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'bigint' ? value !== 0n : Boolean(value);
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
