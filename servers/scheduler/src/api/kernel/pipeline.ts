import { firstParameter } from '@tamis/http';
import { unreachable } from '@tamis/scheduler-model/base/errors.js';
import { type RouteResponse } from './response.js';
import { forwardedHeader } from './requests/forwarded.js';
import type { Forwarder } from './forwarder.js';
import type { Right } from './rights.js';
import type { Call, Route, RouteFacts } from './route.js';

/**
 * A route as its file declares it. All requests take the same steps: parse, forward to the region, forward to the leader or wait
 * until this server has caught up, authorise, respond. So no server checks outdated rights. Without a leader, requests that are
 * invalid in any case are rejected immediately. `requires` runs first, for checks that clients expect earlier.
 */
export interface RouteDefinition<C, A, I, G>
  extends
    Omit<RouteFacts, 'right' | keyof typeof defaultSteps>,
    Partial<Pick<RouteFacts, keyof typeof defaultSteps>> {
  readonly right: Right<A, I, G, C>;
  /** Rejects every request if the mode of the agent does not support the route. @throws SchedulerError */
  readonly requires?: (context: C) => void;
  readonly open: (context: C) => RouteSteps<I, G>;
}

/** The steps of one route on one listener. */
export interface RouteSteps<I, G> {
  /** Parses path, parameters and body, once. @throws SchedulerError, RequestError */
  readonly parse: (call: Call) => I | Promise<I>;
  /** Returns the region of a request that does not name it in the query; empty for this region. */
  readonly regionOf?: (input: I) => string;
  /** Whether any server may respond with its own data, even without a leader. */
  readonly isStale?: (input: I) => boolean;
  /** Rejects requests that are invalid regardless of the state. `handle` must reject them too. */
  readonly check?: (input: I, call: Call) => void | Promise<void>;
  /** Null if the response was sent already. */
  readonly handle: (input: I, granted: G, call: Call) => RouteResponse | null | Promise<RouteResponse | null>;
}

/** Defaults of a route. */
const defaultSteps = {
  method: 'get',
  parameters: ['region', 'pretty'],
  body: null,
  headers: 'none',
  failures: [],
  forward: 'current',
  isSecret: false,
} as const;

/** Creates a route with all the steps. */
export function defineRoute<C, A, I, G>({
  requires,
  open,
  ...facts
}: RouteDefinition<C, A, I, G>): Route<C, A> {
  const { right, forward } = { ...defaultSteps, ...facts };
  return {
    ...{ ...defaultSteps, ...facts },
    open(context, gate) {
      const { parse, regionOf, isStale = () => false, check, handle } = open(context);
      return async (call) => {
        requires?.(context);
        const input = await parse(call);
        if (forward !== 'none') {
          const region = regionOf?.(input) ?? firstParameter(call.parameters, 'region');
          if (region !== '' && region !== gate.region) return passOn(region, call, gate.forwarder);
        }
        const grant = async (): Promise<G> => right.grant(() => gate.accessOf(call.request), input, context);
        const handleHere = async (): Promise<RouteResponse | null> => handle(input, await grant(), call);
        const { leaderRouting } = gate;
        const waits = forward === 'leader' || (forward === 'current' && !isStale(input));
        if (!waits || leaderRouting === null) return handleHere();
        if (!leaderRouting.knowsLeader()) {
          await grant().then(
            () => check?.(input, call),
            (error: unknown) => {
              // Rights that are unknown here may be known once there is a leader.
              if (leaderRouting.isAlone) throw error;
            },
          );
        }
        if (forward === 'leader') return leaderRouting.callLeader(call, handleHere);
        await leaderRouting.catchUp(call.signal);
        return handleHere();
      };
    },
  };
}

/**
 * Forwards a request to another region. Forwarded requests are not forwarded again, so they cannot loop.
 *
 * @throws SchedulerError `unreachable`
 */
async function passOn(region: string, call: Call, forwarder: Forwarder | null): Promise<null> {
  const isKnown = forwarder !== null && forwarder.regions.peersOf(region) !== null;
  if (!isKnown || call.request.headers[forwardedHeader] !== undefined) throw unreachable('No path to region');
  await forwarder.forward(region, call);
  return null;
}
