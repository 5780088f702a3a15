import type { Clock } from '@tamis/scheduler-model/base/clock.js';
import { createReadBarrier } from '@tamis/scheduler-state/cluster/read-barrier.js';
import type { LeaderRouting } from '../api/kernel/route.js';
import type { ForwardOnBehalf, ForwardToServer } from '../api/kernel/requests/forwarded.js';
import { createLeaderRelay } from '../rpc/call-leader.js';
import { createForwardOnBehalf, createForwardToServer } from '../rpc/relay.js';
import { rpcPaths } from '../rpc/protocol.js';
import type { RpcClient } from '../rpc/rpc-client.js';
import type { SharedStore } from '@tamis/scheduler-state/drivers/driver.js';
import type { Services } from './services.js';

/** Routes requests of a server to its leader, for each of its listeners. */
export interface ServerLeaderRouting {
  /** Routing of requests to the HTTP API. */
  readonly api: LeaderRouting;
  /** Routing of requests to the RPC port. */
  readonly rpc: LeaderRouting;
  /** Forwards HTTP API requests that a specific server must handle. */
  readonly forwardToServer: ForwardToServer;
  readonly forwardOnBehalf: ForwardOnBehalf;
}

export function createServerAgreement(
  { leader: leadership, state }: Pick<Services, 'leader' | 'state'>,
  { clock, rpc: client, shared }: AgreementDependencies,
): ServerLeaderRouting {
  const relay = createLeaderRelay({ clock, client, leadership, state });
  const catchUp = createReadBarrier({ leadership, clock, log: shared?.log ?? null });
  const knowsLeader = (): boolean => leadership.current().location !== 'nobody';
  const common = { isAlone: shared === null, knowsLeader, catchUp };
  return {
    api: { ...common, callLeader: relay(rpcPaths.http) },
    rpc: { ...common, callLeader: relay('') },
    forwardToServer: createForwardToServer(client),
    forwardOnBehalf: createForwardOnBehalf(client),
  };
}

export interface AgreementDependencies {
  readonly clock: Clock;
  /** Null for a single server. */
  readonly rpc: RpcClient;
  readonly shared: Pick<SharedStore, 'log'> | null;
}
