import { contains } from '../../../src/language/values/pattern/code-set.js';
import type { Node } from '../../../src/language/values/pattern/node.js';

/**
 * The steps of a plain backtracker that never succeeds, so that it explores every way there is: the attempts to read
 * a character, to end the pattern, and the beginnings. Assertions always hold. `text` is a list of characters.
 */
export function countSteps(node: Node, text: readonly string[], anchored: boolean): number {
  let steps = 0;

  function walk(part: Node, at: number, next: (at: number) => void): void {
    switch (part.kind) {
      case 'fail':
        return;
      case 'empty':
      case 'assert':
        return next(at);
      case 'chars':
        steps += 1;
        if (at < text.length && contains(part.set, text[at]!.codePointAt(0)!)) next(at + 1);
        return;
      case 'sequence':
        return walkAll(part.parts, at, next);
      case 'choice':
        for (const option of part.options) walk(option, at, next);
        return;
      case 'repeat':
        return walkLoop(part.body, part.min, part.max, at, next);
    }
  }

  function walkAll(parts: readonly Node[], at: number, next: (at: number) => void): void {
    const [first, ...rest] = parts;
    if (first === undefined) next(at);
    else walk(first, at, (after) => walkAll(rest, after, next));
  }

  function walkLoop(body: Node, min: number, max: number, at: number, next: (at: number) => void): void {
    if (max > 0) walk(body, at, (after) => walkLoop(body, Math.max(min - 1, 0), max - 1, after, next));
    if (min === 0) next(at);
  }

  for (let start = 0; start <= (anchored ? 0 : text.length); start += 1) {
    steps += 1;
    walk(node, start, () => {
      steps += 1;
    });
  }
  return steps;
}
