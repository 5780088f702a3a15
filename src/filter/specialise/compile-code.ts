/** Creates a function from code and parameter names, like `new Function`. */
export type CompileCode = (code: string, parameters: readonly string[]) => unknown;

interface Vm {
  compileFunction(code: string, parameters: string[]): unknown;
}

/**
 * Returns Node's function compiler; null if none exists (browsers, other runtimes) or if it is disabled. It is tested once with
 * a constant.
 */
export function findCompiler(host: typeof globalThis = globalThis): CompileCode | null {
  try {
    const vm = host.process.getBuiltinModule('node:vm') as Vm | undefined;
    if (vm === undefined) return null;
    const compile: CompileCode = (code, parameters) => vm.compileFunction(code, [...parameters]);
    return (compile('return 1', []) as () => unknown)() === 1 ? compile : null;
  } catch {
    return null;
  }
}
