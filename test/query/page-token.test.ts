import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listClient } from '../../src/entries/client.js';
import { listEndpoint } from '../../src/entries/http.js';
import { defineSchema, t } from '../../src/index.js';
import { createList, decodeToken, encodeToken } from '../../src/entries/query.js';
import { createTable } from '../../src/entries/table.js';

const texts = [
  ...['', ' ', 'a b', 'a+b', 'a%20b', '%uD800', 'a,b', 'a\nb', '\0', '\0\x01', '-x', ',', ':', 'é', '日本'],
  ...['\ufeffa', '\ufeff', '\uffff', '\u{1f600}', '\ud800', '\udc00x', 'x\ud800', '\ud83dx', '\udfff'],
];
const text = fc.string({ unit: fc.constantFrom(...texts, 'a', '\ud83d', '\ude00', '%', 'u', '8') });

describe('page tokens', () => {
  it('are what a header can hold, and are read as what they were', () => {
    fc.assert(
      fc.property(text, (token) => {
        const encoded = encodeToken(token);
        expect(encoded).toMatch(/^[!-~]*$/);
        expect(decodeToken(encoded)).toBe(token);
      }),
    );
  });

  it.each(['S', '-S', 'P,S', '-P,S', 'P,-S', 'S,P', '-S,P', 'S,-P', '-S,-P'])(
    'lead through rows with any texts in the order %s',
    async (sort) => {
      const schema = defineSchema({ ID: t.string, S: t.string, P: t.int });
      const table = createTable(schema, { key: 'ID', sorts: ['S', 'P'] });
      texts.forEach((S, at) => table.put({ ID: `r${at}`, S, P: at % 3 }));
      const endpoint = listEndpoint(table);
      const client = listClient('http://list.example/', {
        fetch: (url, init) => endpoint.fetch(new Request(url, init)),
      });
      const { items } = await createList(table).page({ sort });
      const paged: unknown[] = [];
      for await (const page of client.pages({ sort, perPage: 1 })) paged.push(...page.items);
      expect(paged).toEqual(items);
    },
  );
});
