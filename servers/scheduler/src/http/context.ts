import type { FilterOptions } from 'tamis';
import type { HttpLimits, SiteGuard } from '@tamis/http';
import type { FastifyBaseLogger } from 'fastify';
import type { Leadership } from '../cluster/leadership.js';
import type { Intern } from '../model/intern.js';
import type { BlockingQueries } from '../state/blocking-query.js';
import type { State } from '../state/state.js';
import type { AnswerCacheLimits } from './answer-cache.js';
import type { FilterCacheLimits } from './filters.js';

/** Everything that the routes work with. */
export interface HttpContext {
  readonly state: State;
  readonly blocking: BlockingQueries;
  readonly leader: Leadership;
  readonly logger: FastifyBaseLogger;
  readonly guard: SiteGuard;
  readonly limits: HttpLimits;
  /** Headers that every answer carries, unless the answer sets them itself. */
  readonly responseHeaders: ReadonlyMap<string, string>;
  readonly filters: FilterCacheLimits;
  readonly answers: AnswerCacheLimits;
  /** What a filter does with a row that lacks what it asks about: fail the request, or pass over it. */
  readonly unresolved: NonNullable<FilterOptions['unresolved']>;
  /** The address by which servers know this one, host and port. */
  readonly rpcAddress: string;
  /** The name of this agent's region. */
  readonly region: string;
  /** Nanoseconds, strictly increasing. */
  readonly stamp: () => bigint;
  readonly uuid: () => string;
  readonly intern: Intern;
}
