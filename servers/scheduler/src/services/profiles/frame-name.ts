import type { Frame } from './pprof.js';

/** A place as V8 gives it. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  /** From 0. */
  readonly lineNumber: number;
}

/** A place in the code, readable for people. Functions without a name go by their place, or all would be one. */
export function frameOf({ functionName, url, lineNumber }: CallFrame): Frame {
  const path = url.startsWith('file://') ? url.slice('file://'.length) : url;
  const file = path === '' ? '(runtime)' : path;
  const line = lineNumber + 1;
  const place = `${file.split('/').at(-1) ?? ''}:${line}`;
  return { name: functionName === '' ? `(anonymous ${place})` : functionName, file, line };
}
