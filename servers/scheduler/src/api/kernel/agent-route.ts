import type { AgentAccess, AgentContext } from './agent-context.js';
import { type RouteResponse } from './response.js';
import { badRequest, SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { defineRoute } from './pipeline.js';
import type { Right } from './rights.js';
import type { Call, Route, RouteFacts } from './route.js';

/** Declaration of a route about one agent instead of the cluster. It has no index, so it cannot be a blocking query. */
export interface AgentRouteDefinition<I>
  extends
    Pick<RouteFacts, 'path' | 'summary' | 'response'>,
    Partial<Pick<RouteFacts, 'method' | 'tag' | 'parameters' | 'body' | 'failures' | 'forward'>> {
  readonly right: Right<AgentAccess, I, void, AgentContext>;
  readonly requires?: (context: AgentContext) => void;
  /** Parses the parameters that must be valid before the rights are checked. */
  readonly parse: (call: Call, context: AgentContext) => I;
  /** Parses the other parameters after the rights were checked, and returns the response. */
  readonly run: (
    input: I,
    context: AgentContext,
    call: Call,
  ) => RouteResponse | null | Promise<RouteResponse | null>;
}

/** A route about one agent. */
export type AgentRoute = Route<AgentContext, AgentAccess>;

/** Creates a route about one agent. */
export function agentRoute<I>(definition: AgentRouteDefinition<I>): AgentRoute {
  const { parse, run, ...facts } = definition;
  return defineRoute<AgentContext, AgentAccess, I, void>({
    tag: 'agent',
    parameters: ['pretty'],
    forward: 'none',
    ...facts,
    open: (context) => ({
      parse: (call) => parse(call, context),
      handle: (input, _granted, call) => run(input, context, call),
    }),
  });
}

/** Parser of a route that reads no parameters before the rights are checked. */
export const nothingToParse = (): void => undefined;

/** @throws SchedulerError `wrong-mode` on an agent without server mode. */
export function requireServer({ server }: Pick<AgentContext, 'server'>): NonNullable<AgentContext['server']> {
  return server ?? refuseMode();
}

/** @throws SchedulerError `wrong-mode` on an agent without client mode. */
export function requireClient({ client }: Pick<AgentContext, 'client'>): NonNullable<AgentContext['client']> {
  return client ?? refuseMode();
}

function refuseMode(): never {
  throw new SchedulerError('wrong-mode', 'Invalid method');
}

/** Returns all non-empty values of `address`. @throws SchedulerError `bad-request` if none exists */
export function givenAddresses({ parameters }: Pick<Call, 'parameters'>, missing: string): readonly string[] {
  const addresses = (parameters.get('address') ?? []).filter((address) => address !== '');
  if (addresses.length === 0) throw badRequest(missing);
  return addresses;
}
