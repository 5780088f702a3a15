import type { Readable } from 'node:stream';
import { SchedulerError } from '../base/errors.js';

/** A request to one agent about itself, on behalf of somebody whose rights have been checked. */
export interface AgentRequest {
  /** `GET` where it is left out. */
  readonly method?: 'GET' | 'PUT';
  /** `host`, `monitor`, `pprof/heap`, `fs/logs/<allocation>`, … */
  readonly path: string;
  /** The parameters that the agent itself understands, checked as far as it can be done elsewhere. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** JSON; left out where there is none. */
  readonly body?: string;
  /** Whether the answer is read at the pace of whoever asked, perhaps without an end: it takes no place of a short one. */
  readonly isLong?: boolean;
}

export interface AgentResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** A stream goes on until the signal is aborted or it ends. */
  readonly body: string | Uint8Array | Readable;
}

/** Asks one agent, this one or another: the caller cannot tell which. @throws SchedulerError */
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

/** An answer that is one JSON text. */
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
