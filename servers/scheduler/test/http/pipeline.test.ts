import { fastify } from 'fastify';
import { defaultHttpLimits } from '@tamis/http';
import { describe, expect, it } from 'vitest';
import type { KnownLeader } from '../../src/cluster/leadership.js';
import type { ForwardedCall } from '../../src/requests/forwarded.js';
import { SchedulerError } from '../../src/errors.js';
import { describeFailure } from '../../src/requests/failure.js';
import { defineRoute } from '../../src/http/pipeline.js';
import type { RouteFacts } from '../../src/http/route.js';
import { answerRoutes, openRoutes } from '../../src/http/routing.js';

type Step = 'requires' | 'parse' | 'token' | 'plan' | 'leader' | 'run' | 'toLeader';

/** Asks a route whose steps are written down, and of which one may refuse. */
async function walk(
  options: Partial<Pick<RouteFacts, 'forward'>> & {
    refuses?: Step;
    region?: string;
    isStale?: boolean;
    leader?: KnownLeader['location'];
    forwarded?: string;
  } = {},
): Promise<readonly [steps: readonly string[], status: number]> {
  const steps: string[] = [];
  const take = (step: Step): void => {
    steps.push(step);
    if (step === options.refuses) throw new SchedulerError('bad-request', `refused in ${step}`);
  };
  const route = defineRoute<undefined, string, string, void>({
    ...{ method: 'get', path: '/v1/thing/{id}', summary: '', tag: '', parameters: [], body: null },
    ...{ answer: { kind: 'text' }, headers: 'none', failures: [], isSecret: true },
    forward: options.forward ?? 'leader',
    requires: () => take('requires'),
    right: { name: 'a token', grant: async (ask) => void (await ask()) },
    open: () => ({
      parse({ id }) {
        take('parse');
        return id;
      },
      plan(id) {
        take('plan');
        return {
          isStale: options.isStale === true,
          run() {
            take('run');
            return { type: 'text/plain', body: `this is ${id}` };
          },
        };
      },
    }),
  });
  const app = fastify();
  app.setErrorHandler((error, _request, reply) => {
    const { status, text } = describeFailure(error);
    return reply.code(status).send(text);
  });
  const gate = {
    region: 'here',
    forwarder: null,
    leader: {
      async require(): Promise<KnownLeader> {
        take('leader');
        return { location: options.leader ?? 'here', server: { name: '', address: '' }, term: 1 };
      },
    },
    async toLeader(_leader: unknown, { reply }: ForwardedCall): Promise<void> {
      take('toLeader');
      await reply.send('from the leader');
    },
    accessOf() {
      take('token');
      return 'access';
    },
  };
  answerRoutes(app, openRoutes([route], undefined, gate), { limits: defaultHttpLimits, metrics });
  const { forwarded } = options;
  const headers = forwarded === undefined ? {} : { 'x-scheduler-forwarded': forwarded };
  const answer = await app.inject({ url: `/v1/thing/a%2Fb?region=${options.region ?? ''}`, headers });
  expect(answer.headers['cache-control']).toBe('no-store');
  const body = options.leader === 'there' ? 'from the leader' : 'this is a/b';
  if (answer.statusCode === 200) expect(answer.body).toBe(body);
  return [steps, answer.statusCode];
}

const all: readonly Step[] = ['requires', 'parse', 'token', 'plan', 'leader', 'run'];

/** Nothing here streams. */
const metrics = { streaming: () => () => undefined };

describe('the pipeline', () => {
  it('takes all steps in one order', async () => {
    expect(await walk()).toEqual([all, 200]);
    expect(await walk({ region: 'here' })).toEqual([all, 200]);
  });

  it.each(all)('goes no further than %s where that refuses', async (refuses) => {
    expect(await walk({ refuses })).toEqual([all.slice(0, all.indexOf(refuses) + 1), 400]);
  });

  it('looks at the region before anybody is asked who they are', async () => {
    expect(await walk({ region: 'elsewhere' })).toEqual([['requires', 'parse'], 500]);
    expect(await walk({ region: 'elsewhere', forward: 'region' })).toEqual([['requires', 'parse'], 500]);
  });

  it.each([{ forward: 'region' }, { forward: 'none', region: 'elsewhere' }, { isStale: true }] as const)(
    'waits for no leader with %j',
    async (options) => {
      expect(await walk(options)).toEqual([all.filter((step) => step !== 'leader'), 200]);
    },
  );

  it('lets the leader answer where that is another server, once', async () => {
    const before = all.slice(0, -1);
    expect(await walk({ leader: 'there' })).toEqual([[...before, 'toLeader'], 200]);
    // Passed on by another region, which knows none of our servers from the other.
    expect(await walk({ leader: 'there', forwarded: '1' })).toEqual([[...before, 'toLeader'], 200]);
    expect(await walk({ leader: 'there', forwarded: 'leader' })).toEqual([before, 500]);
    expect(await walk({ leader: 'here', forwarded: 'leader' })).toEqual([all, 200]);
  });
});
