import type { Allocation } from './allocation.js';

/** Resources assigned to an allocation, as stored in its row. CPU in MHz, memory and disk in MB. */
export interface AllocatedResources {
  readonly Tasks: Readonly<Record<string, AllocatedTask>>;
  readonly TaskLifecycles: Readonly<Record<string, TaskLifecycle | null>>;
  readonly Shared: AllocatedShared;
}

export interface AllocatedTask {
  readonly Cpu: { readonly CpuShares: number; readonly ReservedCores: readonly number[] | null };
  readonly Memory: { readonly MemoryMB: number; readonly MemoryMaxMB: number };
  /** Networks of a single task, an older form of the group's. */
  readonly Networks: readonly AllocatedNetwork[] | null;
  readonly Devices: null;
}

export interface TaskLifecycle {
  readonly Hook: string;
  readonly Sidecar: boolean;
}

export interface AllocatedShared {
  readonly DiskMB: number;
  readonly Networks: readonly AllocatedNetwork[] | null;
  readonly Ports: readonly AllocatedPort[] | null;
}

export interface AllocatedPort {
  readonly Label: string;
  readonly Value: number;
  readonly To: number;
  readonly HostIP: string;
}

/** A network of a group or task, with its assigned ports. */
export interface AllocatedNetwork {
  readonly Mode: string;
  readonly Device: string;
  readonly IP: string;
  readonly ReservedPorts: readonly Omit<AllocatedPort, 'HostIP'>[];
  readonly DynamicPorts: readonly Omit<AllocatedPort, 'HostIP'>[];
}

type WithResources = Pick<Allocation, 'AllocatedResources'>;

// Imported rows may contain any value.

/** Returns the ports that all tasks of an allocation share. */
export function sharedPorts({ AllocatedResources: given }: WithResources): readonly AllocatedPort[] {
  const shared = isRecord(given) ? given['Shared'] : null;
  return listIn(shared, 'Ports')
    .filter(isRecord)
    .map((port) => readPort(port, port['HostIP']));
}

/** Returns the ports of tasks with their own networks, by task name. */
export function portsOfTasks({
  AllocatedResources: given,
}: WithResources): ReadonlyMap<string, readonly AllocatedPort[]> {
  const tasks = isRecord(given) && isRecord(given['Tasks']) ? given['Tasks'] : {};
  return new Map(
    Object.entries(tasks).map(([name, task]) => [
      name,
      listIn(task, 'Networks')
        .filter(isRecord)
        .flatMap((network) =>
          portsIn(network)
            .filter(isRecord)
            .map((port) => readPort(port, network['IP'])),
        ),
    ]),
  );
}

function readPort(port: Readonly<Record<string, unknown>>, address: unknown): AllocatedPort {
  const { Label } = port;
  return {
    Label: typeof Label === 'string' ? Label : '',
    Value: numberIn(port, 'Value'),
    To: numberIn(port, 'To'),
    HostIP: typeof address === 'string' ? address : '',
  };
}

/** The resources that an allocation uses on its node. */
export interface Claim {
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
  /** Numbers of the reserved whole cores. */
  readonly cores: readonly number[];
  readonly ports: readonly number[];
}

/** Cached by row: rows are immutable, and every evaluation that considers the node needs them. */
const claims = new WeakMap<object, Claim>();

const nothing: Claim = Object.freeze({ cpu: 0, memory: 0, disk: 0, cores: [], ports: [] });

/** Returns the resources that an allocation uses. Imported rows may contain any value: unreadable ones count as zero. */
export function claimOf({ AllocatedResources: given }: Pick<Allocation, 'AllocatedResources'>): Claim {
  if (!isRecord(given)) return nothing;
  let claim = claims.get(given);
  if (claim === undefined) claims.set(given, (claim = readClaim(given)));
  return claim;
}

/** Returns the same for resources that are not stored yet. */
export function readClaim(given: object): Claim {
  const { Tasks, TaskLifecycles, Shared } = given as Record<string, unknown>;
  const lifecycles = isRecord(TaskLifecycles) ? TaskLifecycles : {};
  const tasks = Object.entries(isRecord(Tasks) ? Tasks : {}).map(
    ([name, task]) => [phaseOf(lifecycles[name]), isRecord(task) ? task : {}] as const,
  );
  const shared = isRecord(Shared) ? Shared : {};
  return {
    cpu: atOnce(tasks, (task) => numberIn(task['Cpu'], 'CpuShares')),
    memory: atOnce(tasks, (task) => numberIn(task['Memory'], 'MemoryMB')),
    disk: numberIn(shared, 'DiskMB'),
    cores: tasks.flatMap(([, task]) => (isRecord(task['Cpu']) ? numbers(task['Cpu']['ReservedCores']) : [])),
    ports: [
      listIn(shared, 'Ports'),
      ...tasks.flatMap(([, task]) => listIn(task, 'Networks').flatMap(portsIn)),
    ]
      .flat()
      .map((port) => numberIn(port, 'Value'))
      .filter((value) => value > 0),
  };
}

function portsIn(network: unknown): readonly unknown[] {
  return [...listIn(network, 'ReservedPorts'), ...listIn(network, 'DynamicPorts')];
}

type Phase = 'before' | 'main' | 'after' | 'alongside';

/** Returns when a task runs: before the others, with them, after them, or during all phases. */
function phaseOf(lifecycle: unknown): Phase {
  if (!isRecord(lifecycle)) return 'main';
  const { Hook, Sidecar } = lifecycle;
  if (Hook === 'prestart') return Sidecar === true ? 'alongside' : 'before';
  if (Hook === 'poststart') return 'alongside';
  return Hook === 'poststop' ? 'after' : 'main';
}

/** Returns the maximum needed at any time: phases run one after another, and sidecars add to each. */
function atOnce(
  tasks: readonly (readonly [Phase, Readonly<Record<string, unknown>>])[],
  amount: (task: Readonly<Record<string, unknown>>) => number,
): number {
  const sums = { before: 0, main: 0, after: 0, alongside: 0 };
  for (const [phase, task] of tasks) sums[phase] += amount(task);
  return Math.max(sums.before, sums.main, sums.after) + sums.alongside;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberIn(container: unknown, name: string): number {
  const value = isRecord(container) && Object.hasOwn(container, name) ? Number(container[name]) : 0;
  return Number.isFinite(value) && value > 0 ? value : 0;
}

function listIn(container: unknown, name: string): readonly unknown[] {
  const list = isRecord(container) ? container[name] : null;
  return Array.isArray(list) ? list : [];
}

function numbers(list: unknown): number[] {
  return Array.isArray(list) ? list.map(Number).filter((value) => Number.isInteger(value) && value >= 0) : [];
}
