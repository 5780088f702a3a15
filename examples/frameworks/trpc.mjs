// Procedures of tRPC: a page of the list, and a subscription that follows it.
import { once } from 'node:events';
import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPServer } from '@trpc/server/adapters/standalone';
import { FilterError } from 'tamis';
import { createList, QueryError } from 'tamis/query';
import { z } from 'zod';
import { access, jobs, teamOf } from './jobs.mjs';

const t = initTRPC.context().create();
const list = createList(jobs);

const forTeams = t.procedure.use(async ({ ctx, next }) => {
  if (ctx.team === null) throw new TRPCError({ code: 'UNAUTHORIZED' });
  const result = await next();
  const cause = result.ok ? null : result.error.cause;
  if (!(cause instanceof FilterError) && !(cause instanceof QueryError)) return result;
  const code = cause.code === 'too-busy' ? 'TOO_MANY_REQUESTS' : 'BAD_REQUEST';
  throw new TRPCError({ code, message: String(cause), cause });
});
// An input has only these members: callers cannot choose their `access`.
const query = z.strictObject({
  filter: z.string().optional(),
  sort: z.string().optional(),
  perPage: z.int().min(1).max(100).default(20),
  nextToken: z.string().nullish(),
});

export const router = t.router({
  jobs: forTeams
    .input(query)
    .query(({ input, ctx, signal }) => list.page({ ...input, access: access(ctx.team) }, signal)),
  watchJobs: forTeams.input(query).subscription(async function* ({ input, ctx, signal }) {
    yield* list.watch({ ...input, access: access(ctx.team) }, signal);
  }),
});

export async function start(port = 0) {
  const createContext = ({ req }) => ({ team: teamOf(req.headers.authorization) });
  const server = createHTTPServer({ router, createContext });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}
