import { firstParameter } from '@tamis/http';
import type { Server } from '../cluster/leadership.js';
import { SchedulerError } from '../errors.js';
import { type RouteResponse } from './response.js';
import { forwardedHeader } from '../requests/forwarded.js';
import type { Forwarder } from './forwarder.js';
import type { Right } from './rights.js';
import type { Call, Route, RouteFacts, ToLeader } from './route.js';

/**
 * A route as its file declares it. A request takes the same steps on every one: it is parsed, passed on to the region that it is for,
 * allowed, planned, and carried out when there is a leader. What is looked at in another order, because clients know it
 * so, is looked at in `requires` (before everything else) or in `plan` (after the rights).
 */
export interface RouteDefinition<C, A, I, G> extends Omit<RouteFacts, 'right'> {
  readonly right: Right<A, I, G, C>;
  /** Refuses where the agent is not of the right kind, whatever is asked. @throws SchedulerError */
  readonly requires?: (context: C) => void;
  readonly open: (context: C) => RouteSteps<I, G>;
}

/** The steps of one route on one listener. */
export interface RouteSteps<I, G> {
  /** Reads path, parameters and body, once. @throws SchedulerError, RequestError */
  readonly parse: (call: Call) => I | Promise<I>;
  /** The region that the request is for, where the query alone does not say; empty for this one. */
  readonly regionOf?: (input: I) => string;
  /** Refuses what can be refused before anything waits. */
  readonly plan: (input: I, granted: G, call: Call) => PlannedResponse | Promise<PlannedResponse>;
}

/** What is left to do for a request that nothing is wrong with. */
export interface PlannedResponse {
  /** Any server may answer, whether there is a leader or not. */
  readonly isStale?: boolean;
  /** Null when the answer has been sent on another way. */
  readonly run: () => RouteResponse | null | Promise<RouteResponse | null>;
}

/** Makes the route that takes all the steps. */
export function defineRoute<C, A, I, G>(definition: RouteDefinition<C, A, I, G>): Route<C, A> {
  const { requires, right, forward } = definition;
  return {
    ...definition,
    open(context, gate) {
      const { parse, regionOf, plan } = definition.open(context);
      return async (call) => {
        requires?.(context);
        const input = await parse(call);
        if (forward !== 'none') {
          const region = regionOf?.(input) ?? firstParameter(call.parameters, 'region');
          if (region !== '' && region !== gate.region) return passOn(region, call, gate.forwarder);
        }
        const granted = await right.grant(() => gate.accessOf(call.request), input, context);
        const planned = await plan(input, granted, call);
        if (forward === 'leader' && planned.isStale !== true) {
          const leader = await gate.leader?.require(call.signal);
          if (leader?.location === 'there') return askLeader(leader.server, call, gate.toLeader);
        }
        return planned.run();
      };
    },
  };
}

/**
 * Lets another region answer. What has been passed on already is answered where it arrives, or not at all: so it cannot
 * circle.
 *
 * @throws SchedulerError `no-region`
 */
async function passOn(region: string, call: Call, forwarder: Forwarder | null): Promise<null> {
  const isKnown = forwarder !== null && forwarder.regions.peersOf(region) !== null;
  if (!isKnown || call.request.headers[forwardedHeader] !== undefined) {
    throw new SchedulerError('no-region', 'No path to region');
  }
  await forwarder.forward(region, call);
  return null;
}

/**
 * Lets the leader answer, which is another server. Two servers that take each other for the leader do not know one.
 *
 * @throws SchedulerError `no-leader`
 */
async function askLeader(leader: Server, call: Call, toLeader: ToLeader | null): Promise<null> {
  if (toLeader === null || call.request.headers[forwardedHeader] === 'leader') {
    throw new SchedulerError('no-leader', 'No cluster leader');
  }
  await toLeader(leader, call);
  return null;
}
