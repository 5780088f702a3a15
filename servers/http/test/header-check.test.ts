import { describe, expect, it } from 'vitest';
import { checkHeaders } from '../src/index.js';

describe('checkHeaders', () => {
  const lines = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, at) => [`x-${at}`, 'host']).flat();

  it.each<[what: string, raw: readonly string[], code: string | null]>([
    ['no headers', [], null],
    ['one host', ['Host', 'a', 'X', 'Host'], null],
    ['two hosts', ['Host', 'a', 'X', 'b', 'hOsT', 'a'], 'many-hosts'],
    ['as many as may be', lines(2_000), null],
    ['one more', lines(2_001), 'too-many-headers'],
    ['too many, with two hosts', [...lines(2_000), 'host', 'a', 'host', 'b'], 'too-many-headers'],
  ])('%s', (_what, raw, code) => {
    const check = (): void => checkHeaders(raw);
    if (code === null) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code }) as Error);
  });
});
