import type { Readable } from 'node:stream';
import { SchedulerError } from '../base/errors.js';

/** A request to one agent about itself, on behalf of a caller whose permissions have been checked. */
export interface AgentRequest {
  /** `GET` where it is left out. */
  readonly method?: 'GET' | 'PUT';
  /** `host`, `monitor`, `pprof/heap`, `fs/logs/<allocation>`, … */
  readonly path: string;
  /** The parameters that the agent itself understands, checked as far as it can be done elsewhere. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** JSON; left out without a body. */
  readonly body?: string;
  /** Whether the response is a stream, possibly endless, read at the client's pace: it does not use a slot for short ones. */
  readonly isLong?: boolean;
}

export interface AgentResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** A stream goes on until the signal is aborted or it ends. */
  readonly body: string | Uint8Array | Readable;
}

/** Calls one agent, this one or another, transparently. @throws SchedulerError */
export type AgentService = (request: AgentRequest, signal: AbortSignal) => Promise<AgentResponse>;

/** Handles the requests under one word; `rest` is what follows it in the path. */
export type AgentHandler = (
  rest: string,
  request: AgentRequest,
  signal: AbortSignal,
) => Promise<AgentResponse>;

/** The handlers of an agent, by the first words of the paths that they handle. */
export type AgentHandlers = ReadonlyMap<string, AgentHandler>;

/** This agent, by its handlers. */
export function createAgentService(handlers: AgentHandlers): AgentService {
  return async (request, signal) => {
    const [word = '', ...rest] = request.path.split('/');
    const handle = handlers.get(word);
    if (handle === undefined) throw new SchedulerError('not-found', '');
    return handle(rest.join('/'), request, signal);
  };
}

/** Returns a response with a JSON body. */
export function jsonResponse(text: string): AgentResponse {
  return { status: 200, headers: new Map([['content-type', 'application/json']]), body: text };
}

/** The parameters of a request as the query of a URL. */
export function queryText(parameters: AgentRequest['parameters']): string {
  const pairs = [...parameters].flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs).toString();
}
