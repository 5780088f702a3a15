import type { AgentConfig } from './settings/agent-config.js';
import { disagreement, type SharedSettings } from '@tamis/scheduler-state/cluster/shared-settings.js';
import type { RegisteredServer } from '@tamis/scheduler-state/cluster/server-list.js';
import { parseAddress } from '@tamis/scheduler-model/host/address.js';
import { dial, DialError } from '@tamis/scheduler-model/host/dial.js';
import type { SharedStore } from '@tamis/scheduler-state/drivers/driver.js';

/** Returns the settings that must agree on all servers of a store. */
export function sharedSettingsOf(
  { acl, region, tls }: AgentConfig,
  { format }: Pick<SharedStore, 'format'>,
): SharedSettings {
  return { region, acl: acl.enabled, mutualTls: hasMutualTls({ tls }), format };
}

/** Whether servers authenticate each other. */
export function hasMutualTls({ tls }: Pick<AgentConfig, 'tls'>): boolean {
  return tls?.rpc === true && tls.caFile !== null;
}

/** Checks that all servers sharing the state have the same settings. @throws DisagreementError, or the error of the store */
export async function requireAgreement(
  config: AgentConfig,
  shared: Pick<SharedStore, 'format' | 'registered'>,
): Promise<void> {
  const all = await shared.registered();
  const living = await Promise.all(all.map(async (server) => ((await isRemoved(server)) ? [] : [server])));
  const problem = disagreement(sharedSettingsOf(config, shared), living.flat());
  if (problem !== null) throw problem;
}

/** Whether a registered server no longer listens: after a kill, its registration remains for a while. */
async function isRemoved({ address }: RegisteredServer): Promise<boolean> {
  try {
    (await dial(parseAddress(address, 0))).destroy();
    return false;
  } catch (error) {
    return error instanceof DialError && error.isRefused;
  }
}
