import { defaultHttpLimits, type HttpLimits } from '@tamis/http';
import { defaultAnswerCacheLimits, type AnswerCacheLimits } from './http/answer-cache.js';
import { defaultFilterCacheLimits, type FilterCacheLimits } from './http/filters.js';

/** How an agent runs. */
export interface AgentConfig {
  /** The address to listen on. */
  readonly bind: string;
  /** The port to listen on, 0 for any free one. */
  readonly port: number;
  /** The port by which servers know each other. */
  readonly rpcPort: number;
  readonly region: string;
  /** Servers that must be there before a leader is elected. A server alone never has more than itself. */
  readonly bootstrapExpect: number;
  /** What the empty state is filled with. */
  readonly fill: Fill;
  readonly logLevel: LogLevel;
  /** More host names that the agent answers to while it listens on loopback. */
  readonly hostNames: readonly string[];
  /** Headers that every answer carries, unless the answer sets them itself. */
  readonly responseHeaders: ReadonlyMap<string, string>;
  /** What a filter does with a row that lacks what it asks about: fail the request, or pass over the row. */
  readonly unresolved: 'error' | 'absent';
  /** Most reads that block at a time. Stops clients from filling the memory with waiting requests. */
  readonly maxWaiters: number;
  readonly http: HttpLimits;
  readonly filters: FilterCacheLimits;
  readonly answers: AnswerCacheLimits;
}

export type Fill =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'sample' }
  | { readonly kind: 'import'; readonly file: string };

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export const defaultAgentConfig: AgentConfig = Object.freeze({
  bind: '127.0.0.1',
  port: 4646,
  rpcPort: 4647,
  region: 'global',
  bootstrapExpect: 1,
  fill: Object.freeze({ kind: 'sample' }),
  logLevel: 'info',
  hostNames: Object.freeze([]),
  responseHeaders: new Map(),
  unresolved: 'error',
  maxWaiters: 20_000,
  http: defaultHttpLimits,
  filters: defaultFilterCacheLimits,
  answers: defaultAnswerCacheLimits,
});
