import type { Logger } from 'pino';
import { sleep } from '../backoff.js';
import type { Clock } from '../clock.js';
import type { NodeInput } from '../model/node.js';
import { inTime, type Retry } from './retry.js';
import type { HeartbeatResponse, ServerLink } from './server-link.js';

/** The registration of a node, kept alive by heartbeats. */
export interface NodeRegistration {
  /** Milliseconds since 1970 of the last heartbeat that was answered, 0 before the first. */
  readonly lastHeartbeat: number;
  /** Milliseconds within which servers expect the next one. */
  readonly heartbeatTtl: number;
  /** Resolves when the node is registered, or the client closes. @throws SchedulerError `permission-denied` */
  register(): Promise<void>;
  /** Sends heartbeats until the client closes, and registers again where the servers do not know the node any more. */
  keepAlive(): Promise<void>;
  /** Sends the next heartbeat at once: the servers may not know the node any more. */
  readonly hurry: () => void;
}

export interface NodeRegistrationDependencies {
  readonly node: NodeInput;
  readonly link: Pick<ServerLink, 'register' | 'heartbeat'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info'>;
  readonly retry: Retry;
  /** Aborted when the client closes. */
  readonly signal: AbortSignal;
  /** Told of each registration and heartbeat that fails. */
  readonly missed: () => void;
}

export function createNodeRegistration(dependencies: NodeRegistrationDependencies): NodeRegistration {
  const { clock, link, logger, missed, node, retry, signal } = dependencies;
  let lastHeartbeat = 0;
  let heartbeatTtl = 0;
  let resting = new AbortController();

  function answered(response: HeartbeatResponse): void {
    ({ heartbeatTtl } = response);
    lastHeartbeat = clock.now();
  }

  async function register(): Promise<void> {
    const response = await retry('registering the node', () => inTime(clock, link.register(node)), missed);
    if (response === null) return;
    answered(response);
    logger.info({ node: node.ID }, 'node registered');
  }

  return {
    get lastHeartbeat() {
      return lastHeartbeat;
    },
    get heartbeatTtl() {
      return heartbeatTtl;
    },
    register,
    hurry: () => resting.abort(),
    async keepAlive() {
      while (!signal.aborted) {
        resting = new AbortController();
        await sleep(clock, heartbeatTtl / 2, AbortSignal.any([signal, resting.signal]));
        if (signal.aborted) return;
        try {
          const response = await retry('the heartbeat', () => inTime(clock, link.heartbeat()), missed);
          if (response === null) return;
          answered(response);
        } catch {
          // The servers do not know this node any more: it has been purged, or they have lost their state.
          await register();
        }
      }
    },
  };
}
