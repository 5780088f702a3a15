import { goBool, goFloat32, goFloat64, goInt, goUint, type Parsed } from './go-number.js';
import { OracleRefusal, type Scope } from './oracle-scope.js';
import type { Look } from './oracle-value.js';

/** Runs a test. If rows are forgiven, one without a result returns `forgiven`. */
export function forgiving(scope: Scope, forgiven: (isNil: boolean) => boolean, run: () => boolean): boolean {
  try {
    return run();
  } catch (error) {
    const isForgiven =
      error instanceof OracleRefusal && error.forgivable && scope.options.unresolved === 'absent';
    if (!isForgiven) throw error;
    return forgiven(error.isNil);
  }
}

/** Refuses a value; it depends on the row unless the schema says what the value is. */
export function refuse(code: string, { kind, type }: Look): never {
  throw new OracleRefusal(code, kind === 'nil' || type.kind === 'any', kind === 'nil');
}

export const scalarKinds = ['bool', 'int', 'uint', 'float32', 'float64'];

export function coercion(kind: string, text: string): Parsed<bigint | number | boolean> {
  switch (kind) {
    case 'bool':
      return goBool(text);
    case 'int':
      return goInt(text);
    case 'uint':
      return goUint(text);
    case 'float32':
      return goFloat32(text);
    default:
      return goFloat64(text);
  }
}

export function equalsScalar(kind: string, value: unknown, operand: bigint | number | boolean): boolean {
  if (kind === 'bool') return value === operand;
  if (kind === 'int' || kind === 'uint') {
    // A number that is not whole equals no integer.
    return (
      (typeof value === 'bigint' || Number.isInteger(value)) && BigInt(value as number | bigint) === operand
    );
  }
  const float = Number(value as number | bigint);
  return (kind === 'float32' ? Math.fround(float) : float) === operand;
}
