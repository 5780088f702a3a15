import { describe, expect, it } from 'vitest';
import { completeShape } from '@tamis/scheduler-model/complete-shape.js';
import { evaluationShape, type Evaluation, type EvaluationInput } from '@tamis/scheduler-model/evaluation.js';
import {
  createBroker,
  defaultBrokerLimits,
  failedQueue,
  type Broker,
} from '@tamis/scheduler-placement/workers/broker.js';
import { createFakeClock, type FakeClock } from '../../../scheduler-model/test/support/fake-clock.js';

const all = ['service', 'batch'];

function setUp(): { broker: Broker; clock: FakeClock; canceled: string[] } {
  const clock = createFakeClock();
  const canceled: string[] = [];
  let ids = 0;
  const broker = createBroker({
    clock,
    uuid: () => `token-${(ids += 1)}`,
    cancel: (found) => canceled.push(...found),
    limits: defaultBrokerLimits,
  });
  return { broker, clock, canceled };
}

function evaluation(ID: string, more: EvaluationInput = {}): Evaluation {
  const given = { ID, JobID: `job-${ID}`, Namespace: 'default', Type: 'service', Priority: 50, ...more };
  return completeShape(evaluationShape, given);
}

function takeAll(broker: Broker, types = all): string[] {
  const taken: string[] = [];
  for (let next = broker.dequeue(types); next !== null; next = broker.dequeue(types)) {
    taken.push(next.evaluation.ID);
  }
  return taken;
}

describe('the broker', () => {
  it('returns the highest priority first, then the oldest, over all requested types', () => {
    const { broker } = setUp();
    broker.enqueue(evaluation('a'));
    broker.enqueue(evaluation('b', { Priority: 80, Type: 'batch' }));
    broker.enqueue(evaluation('c'));
    broker.enqueue(evaluation('d', { Priority: 80 }));
    broker.enqueue(evaluation('e', { Type: 'system', Priority: 100 }));
    expect(takeAll(broker)).toEqual(['b', 'd', 'a', 'c']);
    expect(takeAll(broker, ['system'])).toEqual(['e']);
  });

  it('takes an evaluation in once', () => {
    const { broker } = setUp();
    broker.enqueue(evaluation('a'));
    broker.enqueue(evaluation('a'));
    expect(takeAll(broker)).toEqual(['a']);
  });

  it('never returns two of one job, and cancels all waiting ones but the newest', () => {
    const { broker, canceled } = setUp();
    for (const id of ['a', 'b', 'c', 'd']) broker.enqueue(evaluation(id, { JobID: 'one' }));
    broker.enqueue(evaluation('x', { JobID: 'one', Namespace: 'other' }));
    const first = broker.dequeue(all)!;
    expect(first.evaluation.ID).toBe('a');
    expect(takeAll(broker)).toEqual(['x']);
    expect(broker.acknowledge('a', first.token)).toBe(true);
    expect(canceled).toEqual(['b', 'c']);
    expect(takeAll(broker)).toEqual(['d']);
    expect(broker.counts).toEqual({ ready: 0, outstanding: 2, queued: 0, delayed: 0 });
  });

  it('hands out again what was not acknowledged in time, and trusts the newer token only', () => {
    const { broker, clock } = setUp();
    broker.enqueue(evaluation('a'));
    const first = broker.dequeue(all)!;
    clock.advance(59_999);
    expect(broker.owns('a', first.token)).toBe(true);
    clock.advance(1);
    expect(broker.owns('a', first.token)).toBe(false);
    expect(takeAll(broker)).toEqual([]);
    clock.advance(1_000);
    const second = broker.dequeue(all)!;
    expect(second.evaluation.ID).toBe('a');
    expect(broker.acknowledge('a', first.token)).toBe(false);
    expect(broker.acknowledge('a', second.token)).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('gives up after three deliveries', () => {
    const { broker, clock } = setUp();
    broker.enqueue(evaluation('a'));
    for (const wait of [1_000, 20_000, 20_000]) {
      const { token } = broker.dequeue(all)!;
      expect(broker.refuse('a', token)).toBe(true);
      clock.advance(wait - 1);
      expect(broker.dequeue([...all, failedQueue])).toBeNull();
      clock.advance(1);
    }
    expect(takeAll(broker)).toEqual([]);
    expect(takeAll(broker, [failedQueue])).toEqual(['a']);
  });

  it('keeps evaluations until their time', () => {
    const { broker, clock } = setUp();
    const at = (seconds: number): string => new Date(clock.now() + seconds * 1_000).toISOString();
    broker.enqueue(evaluation('late', { WaitUntil: at(20) }));
    broker.enqueue(evaluation('soon', { WaitUntil: at(10) }));
    broker.enqueue(evaluation('wait', { Wait: 15_000_000_000 }));
    broker.enqueue(evaluation('past', { WaitUntil: at(-10) }));
    expect(takeAll(broker)).toEqual(['past']);
    clock.advance(10_000);
    expect(takeAll(broker)).toEqual(['soon']);
    clock.advance(10_000);
    expect(takeAll(broker)).toEqual(['late', 'wait']);
  });

  it('waits for what is months away without a timer that fires at once', () => {
    const { broker, clock } = setUp();
    broker.enqueue(evaluation('a', { WaitUntil: new Date(clock.now() + 90 * 86_400_000).toISOString() }));
    clock.advance(2 ** 31);
    expect(takeAll(broker)).toEqual([]);
    clock.advance(90 * 86_400_000);
    expect(takeAll(broker)).toEqual(['a']);
  });

  it('wakes those who wait, once, and not those who have left', () => {
    const { broker } = setUp();
    let woken = 0;
    broker.whenReady(() => (woken += 1));
    broker.whenReady(() => (woken += 10))();
    broker.enqueue(evaluation('a'));
    broker.enqueue(evaluation('b'));
    expect(woken).toBe(1);
  });

  it('forgets everything when it stops', () => {
    const { broker, clock } = setUp();
    broker.enqueue(evaluation('a'));
    broker.enqueue(evaluation('b', { Wait: 1_000_000_000 }));
    broker.dequeue(all);
    broker.clear();
    expect(clock.pending).toBe(0);
    expect(takeAll(broker)).toEqual([]);
  });
});
