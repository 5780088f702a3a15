import type { AgentConfig } from './settings/agent-config.js';
import type { AgentName } from '../api/kernel/agent-context.js';

/** The names of an agent: its member has the name of its region behind its own. */
export function nameOf({ datacenter, nodeName, region }: AgentConfig): AgentName {
  return { node: nodeName, member: `${nodeName}.${region}`, region, datacenter };
}
