import type { AgentConfig } from '../agent-config.js';
import { formatAddress } from '../host/address.js';
import type { Machine } from '../host/machine.js';

/** The address under which others find what listens on `bind`: a listener on all addresses is found at one of them. */
export function advertisedHost(bind: string, machine: Pick<Machine, 'addresses'>): string {
  if (bind === 'localhost') return '127.0.0.1';
  if (bind !== '0.0.0.0' && bind !== '::') return bind;
  const family = bind === '::' ? 'IPv6' : 'IPv4';
  const reachable = machine.addresses().filter(({ internal }) => !internal);
  const found = reachable.find((entry) => entry.family === family) ?? reachable[0];
  return found?.address ?? (bind === '::' ? '::1' : '127.0.0.1');
}

/** Host and port in one text. */
export function advertise({ bind }: AgentConfig, port: number, machine: Pick<Machine, 'addresses'>): string {
  return formatAddress({ host: advertisedHost(bind, machine), port });
}
