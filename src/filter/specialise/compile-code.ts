/** Makes a function of code and the names of its parameters, as `new Function` would. */
export type CompileCode = (code: string, parameters: readonly string[]) => unknown;

interface Vm {
  compileFunction(code: string, parameters: string[]): unknown;
}

/**
 * Returns Node's own function compiler; null if there is none (browsers, other runtimes) or it may not be used. It is tried once,
 * on a constant.
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
