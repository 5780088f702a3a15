import type { ServerConfig } from './settings/agent-config.js';
import { createHeartbeats, type Heartbeats } from '../rpc/heartbeats.js';
import { hasRegistered } from '@tamis/scheduler-state/state/node-rows.js';
import { updateNodeStatus } from '@tamis/scheduler-state/state/node-status.js';
import { scanRows, fullRange } from 'tamis/table';
import type { State } from '@tamis/scheduler-state/state/state.js';
import type { AgentDependencies } from './agent-dependencies.js';

export interface NodeHeartbeatDependencies extends Pick<AgentDependencies, 'clock' | 'random' | 'logs'> {
  readonly state: State;
}

/** Heartbeats of the nodes in a state. A node that misses one is down, and its allocations are placed elsewhere. */
export interface NodeHeartbeats extends Heartbeats {
  /** Gives each node one heartbeat interval to report, because another server received its heartbeats until now. */
  start(): void;
}

export function createNodeHeartbeats(
  { minHeartbeatTtl: minTtlMs, heartbeatGrace: grace }: ServerConfig,
  dependencies: NodeHeartbeatDependencies,
): NodeHeartbeats {
  const { clock, logs, random, state } = dependencies;
  const log = logs.part('heartbeats');

  function missed(nodeId: string): void {
    log.warn({ node: nodeId }, 'a node has missed its heartbeat');
    state
      .write((transaction) => updateNodeStatus(transaction, nodeId, 'down'))
      // It was purged meanwhile, or this server is closing.
      .catch((error: unknown) => log.debug({ err: error, node: nodeId }, 'the node is not marked'));
  }

  const heartbeats = createHeartbeats({ clock, random, minTtlMs, grace, missed });
  return {
    ...heartbeats,
    start() {
      const { tables } = state.snapshot();
      let unheard = 0;
      for (const { ID, Status } of scanRows(tables.nodes.primary, fullRange, false)) {
        if (Status === 'down') continue;
        // An imported node never had a deadline.
        if (hasRegistered(tables, ID)) heartbeats.beat(ID);
        else unheard += 1;
      }
      if (unheard > 0)
        log.info(
          { nodes: unheard },
          'nodes without a registered client are listed as stored, with their work; scheduler node purge removes one',
        );
    },
  };
}
