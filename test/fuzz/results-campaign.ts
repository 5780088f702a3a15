import { replay, Draw } from '../support/draw.js';
import { drawCase, judge, render, type Judgement, type Reached } from './results.js';
import { createRandom } from './random.js';

/** A case in which engine and interpreter differ, made as small as it gets. */
export interface Difference {
  readonly seed: number;
  readonly difference: string;
  readonly rendered: string;
}

export interface ResultsOf {
  readonly differences: readonly Difference[];
  readonly reached: Readonly<Record<Reached, number>>;
}

/** Judges cases with the seeds `first`, `first + 1`, ... and stops after `most` differences. */
export function compareResults(
  first: number,
  count: number,
  max = 10,
  onProgress: (done: number) => void = () => undefined,
): ResultsOf {
  const differences: Difference[] = [];
  const reached: Record<Reached, number> = { refused: 0, failed: 0, evaluated: 0 };
  for (let run = 0; run < count && differences.length < max; run += 1) {
    const seed = first + run;
    const random = createRandom(seed);
    const choices: number[] = [];
    const draw = new Draw((bound) => {
      const choice = random.below(bound);
      choices.push(choice);
      return choice;
    });
    const judgement = judgeDrawn(draw);
    reached[judgement.reached] += 1;
    if (judgement.difference !== null) differences.push(describe(seed, choices));
    if ((run + 1) % 1_000 === 0) onProgress(run + 1);
  }
  return { differences, reached };
}

/** A crash is a difference too. */
function judgeDrawn(draw: Draw): Judgement {
  const drawn = drawCase(draw);
  try {
    return judge(drawn);
  } catch (error) {
    return {
      reached: 'failed',
      difference: `crashed: ${error instanceof Error ? (error.stack ?? '') : String(error)}`,
    };
  }
}

function describe(seed: number, choices: readonly number[]): Difference {
  const kind = kindOf(judgeDrawn(replay(choices)).difference);
  const smallest = minimise(choices, (fewer) => kindOf(judgeDrawn(replay(fewer)).difference) === kind);
  const difference = judgeDrawn(replay(smallest)).difference ?? 'gone';
  return { seed, difference, rendered: render(drawCase(replay(smallest))) };
}

/** What is kept while a case is made smaller. */
function kindOf(difference: string | null): string | null {
  return difference === null ? null : difference.replace(/row \d+/, 'row').slice(0, 40);
}

const maxAttempts = 1_500;

/** Fewer and smaller choices that still do it. */
function minimise(
  choices: readonly number[],
  does: (choices: readonly number[]) => boolean,
): readonly number[] {
  let best = choices;
  let attempts = 0;
  const attempt = (candidate: readonly number[]): boolean => {
    attempts += 1;
    if (attempts > maxAttempts || !does(candidate)) return false;
    best = candidate;
    return true;
  };
  for (let size = choices.length >> 1; size > 0 && attempts < maxAttempts; size >>= 1) {
    for (let at = 0; at < best.length && attempts < maxAttempts; at += size) {
      while (at < best.length && attempt([...best.slice(0, at), ...best.slice(at + size)]));
      const zeros = best.slice(at, at + size).map(() => 0);
      if (best.slice(at, at + size).some((choice) => choice !== 0)) {
        attempt([...best.slice(0, at), ...zeros, ...best.slice(at + size)]);
      }
    }
  }
  return best;
}
