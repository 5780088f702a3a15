import { isIPv6 } from 'node:net';
import {
  portsOfTasks,
  sharedPorts,
  type AllocatedResources,
} from '@tamis/scheduler-model/allocated-resources.js';
import type { Allocation } from '@tamis/scheduler-model/allocation.js';

/** The address of an allocation, as its row shows it. */
export interface NetworkStatus {
  readonly InterfaceName: string;
  readonly Address: string;
  readonly AddressIPv6: string;
  readonly DNS: null;
}

/**
 * Returns the address of an allocation: that of its node, whose network it uses.
 *
 * @param node the address of the node, for an allocation without its own network; null if unknown.
 */
export function networkStatusOf(allocation: Allocation, node: string | null = null): NetworkStatus | null {
  const [port] = [...sharedPorts(allocation), ...[...portsOfTasks(allocation).values()].flat()];
  const address = port?.HostIP ?? networkAddress(allocation) ?? node;
  if (address === null) return null;
  return { InterfaceName: '', Address: address, AddressIPv6: isIPv6(address) ? address : '', DNS: null };
}

function networkAddress({ AllocatedResources: resources }: Allocation): string | null {
  const [network] = (resources as Partial<AllocatedResources> | null)?.Shared?.Networks ?? [];
  const { IP } = (network ?? {}) as { readonly IP?: unknown };
  return typeof IP === 'string' && IP !== '' ? IP : null;
}
