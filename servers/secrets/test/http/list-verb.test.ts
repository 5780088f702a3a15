import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VerbRewriter } from '../../src/http/list-verb.js';

/** What comes out for `text`, cut into pieces at the given places. */
function rewrite(text: string, cuts: readonly number[] = []): string {
  const rewriter = new VerbRewriter();
  const bytes = Buffer.from(text, 'latin1');
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  const pieces = places
    .slice(1)
    .map((end, at) => rewriter.push(Buffer.from(bytes.subarray(places[at], end))));
  return Buffer.concat([...pieces, rewriter.flush()]).toString('latin1');
}

/** Cut before every byte. */
function drip(text: string): string {
  return rewrite(
    text,
    [...text].map((_, at) => at),
  );
}

const head = 'Host: a\r\n';

describe('the verb of a request', () => {
  it.each([
    ['LIST /v1/a HTTP/1.1', 'LINK /v1/a HTTP/1.1'],
    ['LINK /v1/a HTTP/1.1', 'LOCK /v1/a HTTP/1.1'],
    ['GET /LIST HTTP/1.1', 'GET /LIST HTTP/1.1'],
    ['LISTS /v1/a HTTP/1.1', 'LISTS /v1/a HTTP/1.1'],
    ['list /v1/a HTTP/1.1', 'list /v1/a HTTP/1.1'],
    ['LOCK /v1/a HTTP/1.1', 'LOCK /v1/a HTTP/1.1'],
    ['L /v1/a HTTP/1.1', 'L /v1/a HTTP/1.1'],
  ])('%s becomes %s', (before, after) => {
    for (const one of [rewrite, drip])
      expect(one(`${before}\r\n${head}\r\n`)).toBe(`${after}\r\n${head}\r\n`);
  });

  it('is that of every request on a connection, with blank lines between them', () => {
    const get = `GET / HTTP/1.1\r\n${head}\r\n`;
    const list = `LIST / HTTP/1.1\r\n${head}\r\n`;
    const link = list.replace('LIST', 'LINK');
    expect(drip(`\r\n${list}${get}\r\n\r\n${list}${list}`)).toBe(`\r\n${link}${get}\r\n\r\n${link}${link}`);
  });

  it('never is a word in a body, a header, a chunk or a trailer', () => {
    const stream = [
      `POST / HTTP/1.1\r\n${head}X-A: b\r\nLIST: c\r\nContent-Length: 17\r\n\r\nLIST / HTTP/1.1\r\n`,
      `PUT / HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n6;x=LIST \r\nLIST \n\r\n0005\r\nLIST \r\n0\r\nLIST : d\r\n\r\n`,
      `GET / HTTP/1.1\r\n${head}\r\n`,
    ].join('');
    expect(rewrite(stream)).toBe(stream);
    expect(drip(stream)).toBe(stream);
    expect(drip(`${stream}LIST / HTTP/1.1\r\n\r\n`)).toBe(`${stream}LINK / HTTP/1.1\r\n\r\n`);
  });

  it('is found after headers of many blanks as fast as after any others', () => {
    const blanks = ' '.repeat(120_000);
    const lines = [...Array<string>(50).fill(`X-A: b${blanks}c`), 'Content-Length:\t 5 \t'];
    const request = `POST / HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\nLIST `;
    expect(rewrite(`${request}LIST / HTTP/1.1\r\n\r\n`)).toBe(`${request}LINK / HTTP/1.1\r\n\r\n`);
  });

  it.each([
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 5\r\n'],
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'],
    ['a list of lengths', 'Content-Length: 5, 5\r\n'],
    ['a signed length', 'Content-Length: +5\r\n'],
    ['another coding', 'Transfer-Encoding: gzip, chunked\r\n'],
    ['a header that goes on', 'X: a\r\n Content-Length: 5\r\n'],
    ['a bare line feed', 'X: a\n'],
  ])('is left alone after %s, which could be read in two ways', (_, headers) => {
    const stream = `POST / HTTP/1.1\r\n${headers}\r\nLIST / HTTP/1.1\r\n\r\nLIST / HTTP/1.1\r\n\r\n`;
    expect(drip(stream)).toBe(stream);
  });
});

const verb = fc.constantFrom('LIST', 'LINK', 'GET', 'POST', 'PUT', 'DELETE', 'HEAD');
const body = fc
  .array(fc.constantFrom('LIST ', 'LINK ', '\r\n', '0\r\n\r\n', 'LIST / HTTP/1.1\r\n\r\n', 'x', '{"a":1}'), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));
const framing = fc.constantFrom('none', 'length', 'chunks', 'chunks with trailers');
const request = fc.record({ verb, body, framing, chunk: fc.integer({ min: 1, max: 9 }) });

function write(
  method: string,
  { body: text, framing: kind, chunk }: { body: string; framing: string; chunk: number },
): string {
  const start = `${method} /v1/LIST HTTP/1.1\r\n${head}`;
  if (kind === 'none') return `${start}\r\n`;
  if (kind === 'length') return `${start}content-LENGTH:  ${text.length}\r\n\r\n${text}`;
  const parts = text.match(new RegExp(`[^]{1,${chunk}}`, 'g')) ?? [];
  const chunks = parts.map((part) => `${part.length.toString(16)};LIST \r\n${part}\r\n`).join('');
  const trailers = kind === 'chunks' ? '' : 'LIST : x\r\nContent-Length: 7\r\n';
  return `${start}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n${trailers}\r\n`;
}

describe('any stream of requests, cut anywhere', () => {
  it('has its verbs rewritten and nothing else', () => {
    const renamed = new Map([
      ['LIST', 'LINK'],
      ['LINK', 'LOCK'],
    ]);
    fc.assert(
      fc.property(
        fc.array(request, { minLength: 1, maxLength: 20 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        (requests, cuts) => {
          const before = requests.map((one) => write(one.verb, one)).join('');
          const after = requests.map((one) => write(renamed.get(one.verb) ?? one.verb, one)).join('');
          expect(
            rewrite(
              before,
              cuts.map((cut) => cut % before.length),
            ),
          ).toBe(after);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('comes out as long as it went in, whatever it is', () => {
    const anything = fc.array(
      fc.constantFrom(
        'LIST ',
        'LI',
        'ST ',
        'GET / HTTP/1.1',
        '\r\n',
        '\n',
        '\r',
        ':',
        'Content-Length: 3',
        'abc',
        ' ',
        '\0',
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(anything, fc.array(fc.nat(), { maxLength: 10 }), (parts, cuts) => {
        const text = parts.join('');
        const out = rewrite(
          text,
          cuts.map((cut) => cut % (text.length + 1)),
        );
        expect(out.replaceAll('LINK ', 'LIST ')).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});
