import type { Readable } from 'node:stream';
import { notFound } from '../base/errors.js';

/** A request to one agent about itself, for a caller whose permissions were checked. */
export interface AgentRequest {
  /** Defaults to `GET`. */
  readonly method?: 'GET' | 'PUT';
  /** `host`, `monitor`, `pprof/heap`, `fs/logs/<allocation>`, … */
  readonly path: string;
  /** The parameters for the agent itself, already validated where possible. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** JSON; omitted if there is no body. */
  readonly body?: string;
  /** Whether the response is a stream, possibly endless, read at the client's pace. It does not use a slot for short requests. */
  readonly isLong?: boolean;
}

export interface AgentResponse {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** A stream continues until it ends or the signal is aborted. */
  readonly body: string | Uint8Array | Readable;
}

/** Calls this agent or another one. @throws SchedulerError */
export type AgentService = (request: AgentRequest, signal: AbortSignal) => Promise<AgentResponse>;

/** Handles requests whose path starts with one word; `rest` is the rest of the path. */
export type AgentHandler = (
  rest: string,
  request: AgentRequest,
  signal: AbortSignal,
) => Promise<AgentResponse>;

/** The handlers of an agent, by the first word of the path. */
export type AgentHandlers = ReadonlyMap<string, AgentHandler>;

/** Creates the service of this agent from its handlers. */
export function createAgentService(handlers: AgentHandlers): AgentService {
  return async (request, signal) => {
    const [word = '', ...rest] = request.path.split('/');
    const handle = handlers.get(word);
    if (handle === undefined) throw notFound('');
    return handle(rest.join('/'), request, signal);
  };
}

/** Returns a response with a JSON body. */
export function jsonResponse(text: string): AgentResponse {
  return { status: 200, headers: new Map([['content-type', 'application/json']]), body: text };
}

/** Returns the parameters of a request as a URL query. */
export function queryText(parameters: AgentRequest['parameters']): string {
  const pairs = [...parameters].flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs).toString();
}
