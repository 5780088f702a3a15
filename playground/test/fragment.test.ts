import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxFragmentLength, readFragment, writeFragment } from '../src/share/fragment.js';
import { LinkError } from '../src/share/shared-state.js';

const schema = { root: 'Row', structs: { Row: { fields: { a: { kind: 'int' } } } } } as const;

async function packed(value: unknown): Promise<string> {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = Buffer.from(await new Response(stream).arrayBuffer());
  return `v1.${bytes.toString('base64url')}`;
}

describe('the fragment of a link', () => {
  it('brings back what was put in', async () => {
    const rows = fc.option(fc.string({ unit: 'binary' }), { nil: null });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), rows, async (filter, text) => {
        const fragment = await writeFragment({ filter, schema, rows: text });
        expect(fragment).toMatch(/^v1\.[\w-]+$/);
        expect(await readFragment(fragment ?? '')).toEqual({ filter, schema, rows: text });
      }),
    );
  });

  it('returns null if it would be too long', async () => {
    const noise = Array.from({ length: 40_000 }, (_, index) =>
      String.fromCharCode(33 + ((index * 7919) % 89) + (index % 5)),
    ).join('');
    const filter =
      fc.sample(fc.string({ minLength: 30_000, maxLength: 30_000, unit: 'binary' }), {
        numRuns: 1,
        seed: 1,
      })[0] ?? noise;
    expect(await writeFragment({ filter, schema: null, rows: null })).toBeNull();
    expect((await writeFragment({ filter: 'a == 1', schema: null, rows: null }))?.length).toBeLessThan(
      maxFragmentLength,
    );
  });

  it('is not ours without its mark', async () => {
    expect(await readFragment('section-2')).toBeNull();
  });

  it.each<[string, () => Promise<string>]>([
    ['it is too long', async () => `v1.${'A'.repeat(64_000)}`],
    ['it is damaged', async () => 'v1.%'],
    ['it is damaged', async () => 'v1.AAAA'],
    ['it is damaged', async () => (await packed({ filter: 'a' })).slice(0, -3)],
    ['it unpacks to more than 2000000 bytes', () => packed({ filter: 'a'.repeat(3_000_000) })],
    ['it holds no filter', () => packed(null)],
    ['it holds no filter', () => packed({ filter: 1 })],
    ['its filter has more than 65536 characters', () => packed({ filter: 'a'.repeat(65_537) })],
    ['its rows are no text', () => packed({ filter: 'a', rows: [] })],
    ['its schema is no object', () => packed({ filter: 'a', schema: 'x' })],
  ])('is refused: %s', async (message, make) => {
    await expect(readFragment(await make())).rejects.toThrow(new LinkError(message));
  });
});
