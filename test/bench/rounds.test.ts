import { describe, expect, it } from 'vitest';
import { runRounds, type Contender } from '../../bench/harness/rounds.js';

function contender(name: string, log: string[], expected: unknown = 1): Contender {
  return {
    name,
    run: () => {
      log.push(name);
      return expected;
    },
    check: (result) => {
      if (result !== 1) throw new Error(`${name} answered ${String(result)}`);
    },
  };
}

const options = { rounds: 6, minMs: 0, budgetMs: Infinity };

describe('rounds', () => {
  it('time every contender once in each round', async () => {
    const timings = await runRounds([contender('a', []), contender('b', [])], options);
    expect([...timings.keys()]).toEqual(['a', 'b']);
    for (const times of timings.values()) {
      expect(times).toHaveLength(6);
      expect(times.every((ms) => ms !== undefined && ms >= 0)).toBe(true);
    }
  });

  it('change the order, the same way for the same seed', async () => {
    const orderOf = async (seed: number): Promise<string> => {
      const log: string[] = [];
      const contenders = ['a', 'b', 'c', 'd'].map((name) => contender(name, log));
      await runRounds(contenders, { ...options, seed });
      // The last six times four entries are those of the rounds.
      return log.slice(-24).join('');
    };
    expect(await orderOf(1)).toBe(await orderOf(1));
    expect(await orderOf(1)).not.toBe(await orderOf(2));
    expect(new Set((await orderOf(1)).match(/.{4}/g)).size).toBeGreaterThan(1);
  });

  it('reject a wrong result, even in the warm-up', async () => {
    await expect(runRounds([contender('a', []), contender('b', [], 2)], options)).rejects.toThrow(
      'b answered 2',
    );
  });

  it('wait for promises', async () => {
    const timings = await runRounds(
      [contender('a', [], 1), { ...contender('b', []), run: () => Promise.resolve(1) }],
      options,
    );
    expect(timings.get('b')).toHaveLength(6);
  });

  it('let a contender that is over its budget sit rounds out, but never the first', async () => {
    const rounds = 50;
    const timings = await runRounds([contender('a', []), contender('b', [])], {
      rounds,
      minMs: 0,
      budgetMs: 0,
    });
    const taken = (name: string): number => (timings.get(name) ?? []).filter((ms) => ms !== undefined).length;
    expect(taken('a')).toBe(rounds);
    expect(taken('b')).toBe(5);
  });
});
