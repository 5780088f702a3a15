import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ApiClient } from '@tamis/scheduler-command/api/api-client.js';
import { findTail } from '@tamis/scheduler-command/alloc/log-tail.js';

/** A log in files, of which frames of any size are sent. */
function logOf(
  files: readonly Buffer[],
  pieceLength: number,
): { readonly api: ApiClient; readonly all: Buffer } {
  const bytes = files.flatMap((data, file) => [...data].map((byte, offset) => ({ byte, file, offset })));
  const stream: ApiClient['stream'] = (_path, { offset } = {}) => {
    const part = bytes.slice(Math.max(0, bytes.length - Number(offset)));
    const frames: string[] = [];
    for (let at = 0; at < part.length;) {
      const first = part[at];
      let end = at;
      while (end < part.length && end - at < pieceLength && part[end]?.file === first?.file) end += 1;
      const Data = Buffer.from(part.slice(at, end).map(({ byte }) => byte)).toString('base64');
      frames.push(
        JSON.stringify({
          Data,
          File: `alloc/logs/t.stdout.${first?.file}`,
          ...(first?.offset === 0 ? {} : { Offset: first?.offset }),
        }),
      );
      at = end;
    }
    return Promise.resolve(
      (async function* () {
        await Promise.resolve();
        yield Buffer.from(`${frames.join('')}{}`);
      })(),
    );
  };
  const refuse = () => Promise.reject(new Error('not asked'));
  return {
    api: { address: '', get: refuse, put: refuse, delete: refuse, stream },
    all: Buffer.concat(files),
  };
}

const line = fc.stringMatching(/^[ab]{0,6}\n?$/);
const logs = fc.array(
  fc.array(line, { maxLength: 6 }).map((lines) => Buffer.from(lines.join(''))),
  { maxLength: 4 },
);

it('the end of a log is its last lines, wherever files and frames begin', async () => {
  await fc.assert(
    fc.asyncProperty(
      logs,
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 1, max: 9 }),
      async (files, lines, piece) => {
        const { api, all } = logOf(files, piece);
        const start = await findTail(api, '', {}, lines);
        const [, file = '0', offset = '0'] = /^(\d+):(\d+)$/.exec(String(start['from'] ?? '')) ?? [];
        const before = files.slice(0, Number(file)).reduce((sum, { length }) => sum + length, 0);
        const found = all.subarray(before + Number(offset)).toString();
        const requested = all.toString().match(/[^\n]*\n|[^\n]+$/g) ?? [];
        expect(found).toBe(requested.slice(requested.length - Math.min(lines, requested.length)).join(''));
      },
    ),
  );
});

it('looks farther back for long lines', async () => {
  const long = Buffer.from(`${'x'.repeat(100_000)}\n`.repeat(3));
  const { api } = logOf([long], 65_536);
  expect(await findTail(api, '', {}, 2)).toEqual({ from: '0:100001' });
});
