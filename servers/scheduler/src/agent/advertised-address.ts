import type { AgentConfig } from './settings/agent-config.js';
import { formatAddress, type Address } from '@tamis/scheduler-model/host/address.js';
import type { Machine } from '@tamis/scheduler-model/host/machine.js';

/** Listeners of an agent whose port is final once they listen: port 0 selects a free one. */
export type Listener = 'http' | 'rpc';

/** The addresses under which others reach an agent. */
export type AdvertisedAddresses = ReturnType<typeof createAdvertisedAddresses>;

export function createAdvertisedAddresses(
  { bind, port, rpcPort }: AgentConfig,
  machine: Pick<Machine, 'addresses'>,
) {
  const ports: Record<Listener, number> = { http: port, rpc: rpcPort };
  const at = (found: number): Address => ({ host: advertisedHost(bind, machine), port: found });
  return {
    of: (listener: Listener): Address => at(ports[listener]),
    /** Replaces the configured address with the one that a listener is bound to. */
    listening: (listener: Listener, found: number): void => void (ports[listener] = found),
    /** Returns `host:port` for a port of this agent. */
    format: (found: number): string => formatAddress(at(found)),
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
