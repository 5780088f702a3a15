import type { ESLint, Linter } from 'eslint';

declare const plugin: ESLint.Plugin & {
  readonly configs: { readonly recommended: Linter.Config };
};
export = plugin;
