import type { AgentConfig } from './settings/agent-config.js';
import { formatAddress, type Address } from '@tamis/scheduler-model/host/address.js';
import type { Machine } from '@tamis/scheduler-model/host/machine.js';

/** Listeners of an agent whose port is final once they listen: port 0 selects a free one. */
export type Listener = 'http' | 'rpc';

/** The addresses under which others reach an agent. */
export interface AdvertisedAddresses {
  of(listener: Listener): Address;
  /** Replaces the configured address with the one that a listener is bound to. */
  listening(listener: Listener, port: number): void;
  /** Returns `host:port` for a port of this agent. */
  format(port: number): string;
}

export function createAdvertisedAddresses(
  { bind, port, rpcPort }: AgentConfig,
  machine: Pick<Machine, 'addresses'>,
): AdvertisedAddresses {
  const ports: Record<Listener, number> = { http: port, rpc: rpcPort };
  const at = (found: number): Address => ({ host: advertisedHost(bind, machine), port: found });
  return {
    of: (listener) => at(ports[listener]),
    listening: (listener, found) => void (ports[listener] = found),
    format: (found) => formatAddress(at(found)),
  };
}

/** Returns the host that others use to reach a listener on `bind`; for a listener on all addresses, one of them. */
export function advertisedHost(bind: string, machine: Pick<Machine, 'addresses'>): string {
  if (bind === 'localhost') return '127.0.0.1';
  if (bind !== '0.0.0.0' && bind !== '::') return bind;
  const family = bind === '::' ? 'IPv6' : 'IPv4';
  const reachable = machine.addresses().filter(({ internal }) => !internal);
  const found = reachable.find((entry) => entry.family === family) ?? reachable[0];
  return found?.address ?? (bind === '::' ? '::1' : '127.0.0.1');
}
