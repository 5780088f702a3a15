import { firstParameter } from '@tamis/http';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { type RouteResponse } from './response.js';
import { forwardedHeader } from './requests/forwarded.js';
import type { Forwarder } from './forwarder.js';
import type { Right } from './rights.js';
import type { Call, Route, RouteFacts } from './route.js';

/**
 * A route as its file declares it. A request takes the same steps on every one: it is parsed, passed on to the region that it
 * is for, and to its leader or held until this server has caught up; then it is allowed and answered. So rights are judged
 * by no server that does not know of them yet. Without a leader to wait for, what is wrong whoever leads is refused at once.
 * What is looked at in another order, because clients know it so, is looked at in `requires`, before everything else.
 */
export interface RouteDefinition<C, A, I, G>
  extends Omit<RouteFacts, 'right' | keyof typeof defaultSteps>, Partial<Pick<RouteFacts, keyof typeof defaultSteps>> {
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
  /** Whether any server may answer with what it has, whether there is a leader or not. */
  readonly isStale?: (input: I) => boolean;
  /** Refuses what is wrong with the question itself, whatever there is; `answer` does that too. */
  readonly check?: (input: I, call: Call) => void | Promise<void>;
  /** Null when the answer has been sent on another way. */
  readonly handle: (input: I, granted: G, call: Call) => RouteResponse | null | Promise<RouteResponse | null>;
}

/** The facts of a route that does not say otherwise. */
const defaultSteps = {
  method: 'get',
  parameters: ['region', 'pretty'],
  body: null,
  headers: 'none',
  failures: [],
  forward: 'current',
  isSecret: false,
} as const;

/** Makes the route that takes all the steps. */
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
              // Rights that are not known here yet may be given by the time that there is a leader.
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
