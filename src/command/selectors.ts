import { walk, type Expression } from '../index.js';
import { selectorsOf } from '../language/syntax/visit.js';

/** Returns the paths that an expression reads from rows, in source order. Names that it binds itself are excluded. */
export function selectorPaths(expression: Expression): string[][] {
  const bound = new Set<string | undefined>();
  walk(expression, {
    collection({ binding }) {
      for (const name of [binding.default, binding.index, binding.value]) bound.add(name?.text);
    },
  });
  return selectorsOf(expression).flatMap(({ path }) => (bound.has(path[0]) ? [] : [[...path]]));
}
