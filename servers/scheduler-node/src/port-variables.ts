import { isIPv6 } from 'node:net';
import { portsOfTasks, sharedPorts, type AllocatedPort } from '@tamis/scheduler-model/allocated-resources.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';
import { cleanName } from './interpolation.js';

/**
 * Returns the port variables of a task: `PORT_label` to listen on, `HOST_PORT_label` and `ADDR_label` for clients.
 * `ADDR_task_label` is the address of another task with its own network.
 */
export function portVariables(allocation: Allocation, task: string): Readonly<Record<string, string>> {
  const ofTasks = portsOfTasks(allocation);
  const others = [...ofTasks].flatMap(([name, ports]) =>
    name === task ? [] : ports.map((port) => variablesOfOther(name, port)),
  );
  const own = [...sharedPorts(allocation), ...(ofTasks.get(task) ?? [])].map(variablesOf);
  return Object.assign({}, ...others, ...own) as Record<string, string>;
}

function variablesOf({ Label, Value, To, HostIP }: AllocatedPort): Readonly<Record<string, string>> {
  const label = cleanName(Label);
  const inside = String(To > 0 ? To : Value);
  const address = addressOf(HostIP, Value);
  return {
    [`PORT_${label}`]: inside,
    [`ALLOC_PORT_${label}`]: inside,
    [`HOST_PORT_${label}`]: String(Value),
    [`IP_${label}`]: HostIP,
    [`HOST_IP_${label}`]: HostIP,
    [`ADDR_${label}`]: address,
    [`HOST_ADDR_${label}`]: address,
  };
}

/** Other tasks are always reached at the address of the node. */
function variablesOfOther(
  task: string,
  { Label, Value, HostIP }: AllocatedPort,
): Readonly<Record<string, string>> {
  const label = `${cleanName(task)}_${cleanName(Label)}`;
  return {
    [`PORT_${label}`]: String(Value),
    [`IP_${label}`]: HostIP,
    [`ADDR_${label}`]: addressOf(HostIP, Value),
  };
}

function addressOf(host: string, port: number): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
