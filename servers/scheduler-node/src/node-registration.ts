import { sleep } from '@tamis/http';
import { reasonOf } from '@tamis/scheduler-model/base/errors.js';
import type { Logger } from 'pino';
import { createBackoff } from '@tamis/scheduler-model/base/backoff.js';
import type { NodeInput } from '@tamis/scheduler-model/node.js';
import { inTime, type Retry, type RetryDependencies } from './retry.js';
import type { HeartbeatResponse, ServerLink } from './server-link.js';

export interface NodeRegistrationDependencies extends Omit<RetryDependencies, 'logger'> {
  readonly node: NodeInput;
  readonly link: Pick<ServerLink, 'register' | 'heartbeat'>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly retry: Retry;
  /** Called after each failed attempt to register or send a heartbeat, unless the servers rejected it. */
  readonly missed: () => void;
}

/** Delays before retrying a rejected registration, in ms: an operator has to act first. */
const refusedPauses = { min: 1_000, max: 15_000 } as const;

/** The registration of a node, kept alive by heartbeats. */
export function createNodeRegistration(dependencies: NodeRegistrationDependencies) {
  const { clock, link, logger, missed, node, random, retry, signal } = dependencies;
  let lastHeartbeat = 0;
  let heartbeatTtl = 0;
  let resting = new AbortController();

  function noteResponse(response: HeartbeatResponse): void {
    ({ heartbeatTtl } = response);
    lastHeartbeat = clock.now();
  }

  /**
   * Resolves when the node is registered or the client closes. Rejected registrations are retried, because the node may have
   * reached the wrong servers.
   */
  async function register(): Promise<void> {
    const backoff = createBackoff({ ...refusedPauses, random });
    let reason = '';
    while (!signal.aborted) {
      try {
        const response = await retry(
          'registering the node',
          () => inTime(clock, link.register(node)),
          missed,
        );
        if (response === null) return;
        noteResponse(response);
        logger.info({ node: node.ID }, 'node registered');
        return;
      } catch (error) {
        // Logs a rejection only if its reason has changed.
        if (reasonOf(error) !== reason) {
          reason = reasonOf(error);
          logger.warn({ reason, node: node.ID }, 'the servers refuse this node, which keeps trying');
        }
        await sleep(clock, backoff.next(), signal);
      }
    }
  }

  return {
    /** Time of the last acknowledged heartbeat, in ms since 1970; 0 before the first. */
    get lastHeartbeat(): number {
      return lastHeartbeat;
    },
    /** Time within which servers expect the next heartbeat, in ms. */
    get heartbeatTtl(): number {
      return heartbeatTtl;
    },
    register,
    /** Sends the next heartbeat immediately, because the servers may no longer know the node. */
    hurry: () => resting.abort(),
    /** Sends heartbeats until the client closes, and registers again if the servers no longer know the node. */
    async heartbeat(): Promise<void> {
      while (!signal.aborted) {
        resting = new AbortController();
        await sleep(clock, heartbeatTtl / 2, AbortSignal.any([signal, resting.signal]));
        if (signal.aborted) return;
        try {
          const response = await retry('the heartbeat', () => inTime(clock, link.heartbeat()), missed);
          if (response === null) return;
          noteResponse(response);
        } catch {
          // The servers no longer know this node: it was purged, or they lost their state.
          await register();
        }
      }
    },
  };
}
