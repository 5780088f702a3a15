import type { AgentConfig } from './settings/agent-config.js';
import type { AgentName } from '../api/kernel/agent-context.js';

/** Returns the names of an agent. Its member name is its own name followed by its region. */
export function nameOf({ datacenter, nodeName, region }: AgentConfig): AgentName {
  return { node: nodeName, member: `${nodeName}.${region}`, region, datacenter };
}
