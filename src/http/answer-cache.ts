import { RecentMap } from '../runtime/recent-map.js';

/** The body of a list and the token of its next page. A long body is a stream of its own for each who reads it. */
export interface MadeList<S = AsyncIterable<Uint8Array>> {
  readonly body: string | (() => S);
  readonly nextToken: string | null;
}

/**
 * Recent answers of one list. A thousand clients that block on the same question are all woken by one write and get
 * one answer, made once. The index of a list grows with every write to a table it reads, so the same question at the
 * same index has the same answer, and an old one is never asked for again.
 */
export interface AnswerCache<M extends MadeList<unknown>> {
  /**
   * The answer to `question` at `index`, made by `make` unless it is known or being made. What `make` throws is not
   * kept. The signal that `make` gets is aborted when all who wait for this answer have left.
   */
  answer(
    question: string,
    index: number,
    signal: AbortSignal,
    make: (signal: AbortSignal) => M | Promise<M>,
  ): M | Promise<M>;
}

/** Bounds of an answer cache, which stop clients from filling the memory with questions that are asked once. */
export interface AnswerCacheLimits {
  readonly maxEntries: number;
  /** Most characters of all bodies together. */
  readonly maxCharacters: number;
  /** Longest question worth keeping, in UTF-16 units. */
  readonly maxQuestionLength: number;
}

export const defaultAnswerCacheLimits: AnswerCacheLimits = Object.freeze({
  maxEntries: 64,
  maxCharacters: 4_194_304,
  maxQuestionLength: 2_048,
});

/** An answer that is being made. */
interface Making<M> {
  readonly answer: Promise<M>;
  /** One more waits for it, until the signal says that they have left. */
  readonly join: (signal: AbortSignal) => void;
}

export function createAnswerCache<M extends MadeList<unknown>>(limits: AnswerCacheLimits): AnswerCache<M> {
  const kept = new RecentMap<string, M>({
    maxEntries: limits.maxEntries,
    maxWeight: limits.maxCharacters,
    weigh: ({ body }) => (typeof body === 'string' ? body.length : 0),
  });
  const making = new Map<string, Making<M>>();
  /** Long answers stay for as long as somebody reads them, and are shared by whoever comes meanwhile. */
  const read = new Map<string, WeakRef<M>>();

  function keep(key: string, made: M): M {
    if (typeof made.body !== 'string') {
      for (const [each, answer] of read) if (answer.deref() === undefined) read.delete(each);
      read.set(key, new WeakRef(made));
      return made;
    }
    kept.set(key, made);
    return made;
  }

  return {
    answer(question, index, signal, make) {
      if (question.length > limits.maxQuestionLength) return make(signal);
      const key = `${index} ${question}`;
      const known = kept.get(key) ?? read.get(key)?.deref();
      if (known !== undefined) return known;
      const begun = making.get(key);
      if (begun !== undefined) {
        begun.join(signal);
        return begun.answer;
      }
      const leaving = new AbortController();
      const made = make(leaving.signal);
      if (!(made instanceof Promise)) return keep(key, made);
      // Others may be making it anew by then.
      const forget = (): void => {
        if (making.get(key)?.join === join) making.delete(key);
      };
      const join = createWaiters(leaving, forget);
      join(signal);
      const answer = made.then((whole) => keep(key, whole)).finally(forget);
      making.set(key, { answer, join });
      return answer;
    },
  };
}

/** Those who wait for one answer, which is aborted when the last of them has left. */
function createWaiters(answer: AbortController, onEmpty: () => void): Making<never>['join'] {
  let present = 0;
  return (signal) => {
    present += 1;
    const leave = (): void => {
      present -= 1;
      if (present > 0) return;
      onEmpty();
      answer.abort(signal.reason);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  };
}
