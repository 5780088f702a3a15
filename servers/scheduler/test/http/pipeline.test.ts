import { fastify } from 'fastify';
import { defaultHttpLimits } from '@tamis/http';
import { describe, expect, it } from 'vitest';
import type { CallLeader } from '../../src/api/kernel/requests/forwarded.js';
import { SchedulerError } from '@tamis/scheduler-model/base/errors.js';
import { describeFailure } from '../../src/api/kernel/requests/failure.js';
import { defineRoute } from '../../src/api/kernel/pipeline.js';
import type { RouteFacts } from '../../src/api/kernel/route.js';
import { handleRoutes, openRoutes } from '../../src/api/kernel/routing.js';

type Step = 'requires' | 'parse' | 'leader' | 'catchUp' | 'token' | 'check' | 'answer';

/** Calls a route whose steps are recorded, and of which one may reject. */
async function walk(
  options: Partial<Pick<RouteFacts, 'forward'>> & {
    refuses?: Step;
    region?: string;
    isStale?: boolean;
    leader?: 'here' | 'there' | 'nobody';
    isAlone?: boolean;
  } = {},
): Promise<readonly [steps: readonly string[], status: number]> {
  const steps: string[] = [];
  const take = (step: Step): void => {
    steps.push(step);
    if (step === options.refuses) throw new SchedulerError('bad-request', `refused in ${step}`);
  };
  const route = defineRoute<undefined, string, string, void>({
    ...{ method: 'get', path: '/v1/thing/{id}', summary: '', tag: '', parameters: [], body: null },
    ...{ response: { kind: 'text' }, headers: 'none', failures: [], isSecret: true },
    forward: options.forward ?? 'leader',
    requires: () => take('requires'),
    right: { name: 'a token', grant: async (send) => void (await send()) },
    open: () => ({
      parse({ id }) {
        take('parse');
        return id;
      },
      isStale: () => options.isStale === true,
      check: () => take('check'),
      handle(id) {
        take('answer');
        return { type: 'text/plain', body: `this is ${id}` };
      },
    }),
  });
  const app = fastify();
  app.setErrorHandler((error, _request, reply) => {
    const { status, text } = describeFailure(error);
    return reply.code(status).send(text);
  });
  const callLeader: CallLeader = async ({ reply }, here) => {
    take('leader');
    if (options.leader !== 'there') return here();
    await reply.send('from the leader');
    return null;
  };
  const gate = {
    region: 'here',
    forwarder: null,
    leaderRouting: {
      isAlone: options.isAlone === true,
      knowsLeader: () => options.leader !== 'nobody',
      async catchUp(): Promise<void> {
        take('catchUp');
      },
      callLeader,
    },
    accessOf() {
      take('token');
      return 'access';
    },
  };
  handleRoutes(app, openRoutes([route], undefined, gate), { limits: defaultHttpLimits, metrics });
  const response = await app.inject({ url: `/v1/thing/a%2Fb?region=${options.region ?? ''}` });
  expect(response.headers['cache-control']).toBe('no-store');
  const body = options.leader === 'there' ? 'from the leader' : 'this is a/b';
  if (response.statusCode === 200) expect(response.body).toBe(body);
  return [steps, response.statusCode];
}

const all: readonly Step[] = ['requires', 'parse', 'leader', 'token', 'answer'];

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

  it('resolves the region before authentication', async () => {
    expect(await walk({ region: 'elsewhere' })).toEqual([['requires', 'parse'], 500]);
    expect(await walk({ region: 'elsewhere', forward: 'region' })).toEqual([['requires', 'parse'], 500]);
  });

  it.each([
    { forward: 'region' },
    { forward: 'none', region: 'elsewhere' },
    { forward: 'current', isStale: true },
  ] as const)('does not wait for %j', async (options) => {
    expect(await walk(options)).toEqual([all.filter((step) => step !== 'leader'), 200]);
  });

  it('catches up before it judges the rights of who reads', async () => {
    const steps = all.map((step) => (step === 'leader' ? 'catchUp' : step));
    expect(await walk({ forward: 'current' })).toEqual([steps, 200]);
    expect(await walk({ forward: 'current', refuses: 'catchUp' })).toEqual([steps.slice(0, 3), 400]);
  });

  it.each([
    ['leader', 'leader'],
    ['current', 'catchUp'],
  ] as const)('refuses at once what is wrong without a leader too: %s', async (forward, waiting) => {
    const options = { forward, leader: 'nobody' } as const;
    const early = ['requires', 'parse', 'token', 'check'];
    expect(await walk({ ...options, refuses: 'check' })).toEqual([early, 400]);
    expect(await walk(options)).toEqual([[...early, waiting, 'token', 'answer'], 200]);
    // Another server may know of rights that this one has not heard of; one that is alone knows them all.
    const judged = ['requires', 'parse', 'token'];
    expect(await walk({ ...options, refuses: 'token' })).toEqual([[...judged, waiting, 'token'], 400]);
    expect(await walk({ ...options, refuses: 'token', isAlone: true })).toEqual([judged, 400]);
  });

  it('lets the leader authorize and respond if that is another server', async () => {
    expect(await walk({ leader: 'there' })).toEqual([['requires', 'parse', 'leader'], 200]);
    expect(await walk({ leader: 'there', refuses: 'token' })).toEqual([['requires', 'parse', 'leader'], 200]);
  });
});
