import type { Frame } from './pprof.js';

/** A code position from V8. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  /** Line number, starting at 0. */
  readonly lineNumber: number;
}

/**
 * Returns a code position in readable form. An unnamed function is named after its position; otherwise viewers would merge all of
 * them.
 */
export function frameOf({ functionName, url, lineNumber }: CallFrame): Frame {
  const path = url.startsWith('file://') ? url.slice('file://'.length) : url;
  const file = path === '' ? '(runtime)' : path;
  const line = lineNumber + 1;
  const place = `${file.split('/').at(-1) ?? ''}:${line}`;
  return { name: functionName === '' ? `(anonymous ${place})` : functionName, file, line };
}
