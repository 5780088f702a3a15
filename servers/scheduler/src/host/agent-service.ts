import type { Readable } from 'node:stream';
import { SchedulerError } from '../errors.js';

/** What one agent is asked about itself, on behalf of somebody whose rights have been checked. */
export interface AgentQuestion {
  /** `host`, `monitor`, `pprof/heap`, … */
  readonly path: string;
  /** The parameters that the agent itself understands, checked as far as it can be done elsewhere. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
}

export interface AgentAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** A stream goes on until the signal is aborted or it ends. */
  readonly body: string | Uint8Array | Readable;
}

/** Asks one agent, this one or another: the caller cannot tell which. @throws SchedulerError */
export type AgentService = (question: AgentQuestion, signal: AbortSignal) => Promise<AgentAnswer>;

/** Answers the questions under one word; `rest` is what follows it in the path. */
export type AgentAnswerer = (
  rest: string,
  question: AgentQuestion,
  signal: AbortSignal,
) => Promise<AgentAnswer>;

/** This agent, by the first words of the paths that it answers. */
export function createAgentService(answerers: ReadonlyMap<string, AgentAnswerer>): AgentService {
  return async (question, signal) => {
    const [word = '', ...rest] = question.path.split('/');
    const answerer = answerers.get(word);
    if (answerer === undefined) throw new SchedulerError('not-found', '');
    return answerer(rest.join('/'), question, signal);
  };
}

/** An answer that is one JSON text. */
export function jsonAnswer(text: string): AgentAnswer {
  return { status: 200, headers: new Map([['content-type', 'application/json']]), body: text };
}
