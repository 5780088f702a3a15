import { networkShape, readBlocks, type NetworkInput, type PortInput } from '../job-blocks.js';
import type { TaskGroup } from '../task-group.js';
import { when } from './findings.js';
import { clip, quote } from '../quote.js';

const maxPort = 65_535;
/** Maximum number of ports per group. Prevents jobs that slow down each node check. */
const maxPorts = 1_000;

/** A network, its position in its group, and the index of its task; null if it belongs to the group. */
interface PlacedNetwork {
  readonly path: string;
  readonly network: NetworkInput;
  readonly task: number | null;
}

/** Returns the networks of a group and their positions. Networks of tasks are an older spelling of the same. */
export function networksOf(group: TaskGroup): readonly PlacedNetwork[] {
  const ofGroup = readBlocks(networkShape, group.Networks).map((network, at) => ({
    path: `Networks[${at}]`,
    network,
    task: null,
  }));
  const ofTasks = (group.Tasks ?? []).flatMap(({ Resources }, task) =>
    readBlocks(networkShape, Resources?.Networks ?? null).map((network, at) => ({
      path: `Tasks[${task}].Resources.Networks[${at}]`,
      network,
      task,
    })),
  );
  return [...ofGroup, ...ofTasks];
}

export function networkErrors(group: TaskGroup): string[] {
  const networks = networksOf(group);
  const ports = networks.reduce(
    (sum, { network }) => sum + (network.ReservedPorts?.length ?? 0) + (network.DynamicPorts?.length ?? 0),
    0,
  );
  if (ports > maxPorts) return [`Task group asks for ${ports} ports, more than ${maxPorts}`];
  const ofGroup = new Map<string, string>();
  // Each task has its own port labels in addition to those of the group.
  const ofTasks = new Map<number, Map<string, string>>();
  const fixed = new Map<number, string>();
  return networks.flatMap(({ path, network, task }) => {
    let labels = ofGroup;
    if (task !== null) ofTasks.set(task, (labels = ofTasks.get(task) ?? new Map(ofGroup)));
    return [
      ...modeErrors(path, network),
      ...(network.ReservedPorts ?? []).flatMap((port, at) =>
        portErrors(port ?? {}, `${path}.ReservedPorts[${at}]`, true, labels, fixed),
      ),
      ...(network.DynamicPorts ?? []).flatMap((port, at) =>
        portErrors(port ?? {}, `${path}.DynamicPorts[${at}]`, false, labels, fixed),
      ),
    ];
  });
}

function modeErrors(path: string, { Mode = '' }: NetworkInput): string[] {
  const isKnown = ['', 'host', 'bridge', 'none'].includes(Mode) || /^cni\/./.test(Mode);
  return when(
    !isKnown,
    `${path}.Mode: invalid network mode ${quote(Mode)}, must be one of host, bridge, none, cni/NAME`,
  );
}

/** A fixed port needs a number. A dynamic port must not have one, because it would then be fixed. */
function portErrors(
  { Label: label = '', Value: value = 0, To: to = 0 }: PortInput,
  path: string,
  isFixed: boolean,
  labels: Map<string, string>,
  fixed: Map<number, string>,
): string[] {
  const number = Number(value);
  const earlier = labels.get(label);
  const taken = number === 0 ? undefined : fixed.get(number);
  const errors = [
    ...when(label === '', `${path}: Port label is missing`),
    ...when(label.includes('\0'), `${path}: Port label contains a null character`),
    ...when(earlier !== undefined && label !== '', `Port label ${quote(label)} already in use by ${earlier}`),
    ...when(number > maxPort, `Port ${clip(label)} (${value}) cannot be greater than ${maxPort}`),
    ...when(
      number < 0 || (isFixed && number === 0),
      `Port ${clip(label)} (${value}) must be from 1 to ${maxPort}`,
    ),
    ...when(taken !== undefined, `Static port ${value} already reserved by ${taken}`),
    ...when(to < -1, `Port ${quote(label)} cannot be mapped to negative value ${to}`),
    ...when(to > maxPort, `Port ${quote(label)} cannot be mapped to a port (${to}) greater than ${maxPort}`),
  ];
  if (earlier === undefined) labels.set(label, path);
  if (taken === undefined && number !== 0) fixed.set(number, `${path}:${label}`);
  return errors;
}

/** Returns the labels of the ports of a group, for references to them. */
export function portLabels(group: TaskGroup): ReadonlySet<string> {
  const labels = networksOf(group).flatMap(({ network }) =>
    [...(network.ReservedPorts ?? []), ...(network.DynamicPorts ?? [])].map((port) => port?.Label ?? ''),
  );
  return new Set(labels);
}
