import { isIPv6 } from 'node:net';
import type { AllocatedPort, AllocatedResources } from '../model/allocated-resources.js';
import type { Allocation } from '../model/allocation.js';
import { cleanName } from './interpolation.js';

/** The ports that an allocation has been given. */
export function allocatedPorts({ AllocatedResources }: Allocation): readonly AllocatedPort[] {
  const ports = (AllocatedResources as Partial<AllocatedResources> | null)?.Shared?.Ports;
  return Array.isArray(ports) ? (ports as readonly AllocatedPort[]) : [];
}

/**
 * Tells a task its ports: `SCHEDULER_PORT_label` to listen on, `SCHEDULER_HOST_PORT_label` and `SCHEDULER_ADDR_label`
 * where others find it.
 */
export function portVariables(allocation: Allocation): Readonly<Record<string, string>> {
  return Object.assign({}, ...allocatedPorts(allocation).map(variablesOf)) as Record<string, string>;
}

function variablesOf({ Label, Value, To, HostIP }: AllocatedPort): Readonly<Record<string, string>> {
  const label = cleanName(Label);
  const inside = String(To > 0 ? To : Value);
  const address = `${isIPv6(HostIP) ? `[${HostIP}]` : HostIP}:${Value}`;
  return {
    [`SCHEDULER_PORT_${label}`]: inside,
    [`SCHEDULER_ALLOC_PORT_${label}`]: inside,
    [`SCHEDULER_HOST_PORT_${label}`]: String(Value),
    [`SCHEDULER_IP_${label}`]: HostIP,
    [`SCHEDULER_HOST_IP_${label}`]: HostIP,
    [`SCHEDULER_ADDR_${label}`]: address,
    [`SCHEDULER_HOST_ADDR_${label}`]: address,
  };
}
