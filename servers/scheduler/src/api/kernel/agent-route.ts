import type { AgentAccess, AgentContext } from './agent-context.js';
import { type RouteResponse } from './response.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { defineRoute } from './pipeline.js';
import type { Right } from './rights.js';
import type { Call, Route, RouteFacts } from './route.js';

/** The declaration of a route about one agent, not about the cluster. It has no index, so it cannot be a blocking query. */
export interface AgentRouteDefinition<I>
  extends
    Pick<RouteFacts, 'path' | 'summary' | 'response'>,
    Partial<Pick<RouteFacts, 'method' | 'tag' | 'parameters' | 'body' | 'failures' | 'forward'>> {
  readonly right: Right<AgentAccess, I, void, AgentContext>;
  readonly requires?: (context: AgentContext) => void;
  /** Parses the parameters that are validated before the rights are checked. */
  readonly parse: (call: Call, context: AgentContext) => I;
  /** Parses the parameters that are validated after that, and responds. */
  readonly run: (
    input: I,
    context: AgentContext,
    call: Call,
  ) => RouteResponse | null | Promise<RouteResponse | null>;
}

export function agentRoute<I>(definition: AgentRouteDefinition<I>): Route<AgentContext, AgentAccess> {
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

/** Of a route that reads nothing before the rights are looked at. */
export const nothingToParse = (): void => undefined;

/** @throws SchedulerError `wrong-mode` on an agent that is no server. */
export function requireServer({ server }: Pick<AgentContext, 'server'>): NonNullable<AgentContext['server']> {
  return server ?? refuseMode();
}

/** @throws SchedulerError `wrong-mode` on an agent that is no client. */
export function requireClient({ client }: Pick<AgentContext, 'client'>): NonNullable<AgentContext['client']> {
  return client ?? refuseMode();
}

function refuseMode(): never {
  throw new SchedulerError('wrong-mode', 'Invalid method');
}

/** A parameter or a body that cannot be followed. */
export function badRequest(message: string): SchedulerError {
  return new SchedulerError('bad-agent-request', message);
}

/** All values of `address`, without the empty ones. @throws SchedulerError `bad-agent-request` if there is none */
export function givenAddresses({ parameters }: Pick<Call, 'parameters'>, missing: string): readonly string[] {
  const addresses = (parameters.get('address') ?? []).filter((address) => address !== '');
  if (addresses.length === 0) throw badRequest(missing);
  return addresses;
}
