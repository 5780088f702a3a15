import { walk, type Expression, type Name } from '../index.js';

/** Returns the paths that an expression reads from rows, in source order. Names that it binds itself are excluded. */
export function selectorPaths(expression: Expression): string[][] {
  const bound = new Set<string>();
  const paths: (readonly string[])[] = [];
  const bind = (name: Name | null): void => void (name !== null && bound.add(name.text));
  walk(expression, {
    match({ selector, value }) {
      paths.push(selector.path);
      if (value?.kind === 'reference') paths.push(value.selector.path);
    },
    collection({ selector, binding }) {
      paths.push(selector.path);
      bind(binding.default);
      bind(binding.index);
      bind(binding.value);
    },
  });
  return paths.filter(([first = '']) => !bound.has(first)).map((path) => [...path]);
}
