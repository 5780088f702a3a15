import type { Readable } from 'node:stream';

/** The body of a list and the token of its next page. */
export interface ListAnswer {
  readonly body: string | Readable;
  readonly nextToken: string | null;
}

/**
 * Recent answers of one list. A thousand clients that block on the same question are all woken by one write and get
 * one answer, made once. The index of a list grows with every write to a table it reads, so the same question at the
 * same index has the same answer, and an old one is never asked for again.
 */
export interface AnswerCache {
  /** The answer to `question` at `index`, made by `make` unless it is known. What `make` throws is not kept. */
  answer(question: string, index: number, make: () => ListAnswer): ListAnswer;
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

export function createAnswerCache(limits: AnswerCacheLimits): AnswerCache {
  const kept = new Map<string, ListAnswer>();
  let characters = 0;

  function forget(key: string): void {
    characters -= lengthOf(kept.get(key));
    kept.delete(key);
  }

  return {
    answer(question, index, make) {
      const key = `${index} ${question}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const made = make();
      // A stream can be read only once.
      if (typeof made.body !== 'string' || question.length > limits.maxQuestionLength) return made;
      kept.set(key, made);
      characters += made.body.length;
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.maxEntries && characters <= limits.maxCharacters) break;
        forget(oldest);
      }
      return made;
    },
  };
}

function lengthOf(answer: ListAnswer | undefined): number {
  return typeof answer?.body === 'string' ? answer.body.length : 0;
}
