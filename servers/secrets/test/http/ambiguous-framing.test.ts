import { describe, expect, it } from 'vitest';
import { VerbRewriter } from '../../src/http/list-verb.js';

/** What comes out for `text`, a byte at a time. */
function drip(text: string): string {
  const rewriter = new VerbRewriter();
  const pieces = [...Buffer.from(text, 'latin1')].map((byte) => Buffer.from(rewriter.push(Buffer.of(byte))));
  return Buffer.concat([...pieces, rewriter.flush()]).toString('latin1');
}

const list = 'LIST / HTTP/1.1\r\n\r\n';
const withHead = (headers: string, body: string): string =>
  `POST / HTTP/1.1\r\nHost: a\r\n${headers}\r\n${body}`;

describe('a request after an ambiguously framed one', () => {
  it('is rewritten where there is but one end', () => {
    for (const before of [
      withHead('Content-Length: 0\r\n', ''),
      withHead('Transfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    ]) {
      expect(drip(before + list)).toBe(before + list.replace('LIST', 'LINK'));
    }
  });

  // In one reading the bodies end where the next request begins: that must not be the reading that counts.
  it.each([
    ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'],
    ['chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['another coding before chunks', 'Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 0\r\n', ''],
    ['a list of lengths', 'Content-Length: 0, 0\r\n', ''],
    ['a signed length', 'Content-Length: +0\r\n', ''],
    ['a length that continues a header', 'X: a\r\n Content-Length: 5\r\n', ''],
    ['a bare line feed', 'X: a\n', ''],
    ['a signed chunk', 'Transfer-Encoding: chunked\r\n', '+0\r\n\r\n'],
    ['a chunk that ends with a bare line feed', 'Transfer-Encoding: chunked\r\n', '0\n\r\n'],
  ])('is left alone after %s', (_, headers, body) => {
    const stream = withHead(headers, body) + list;
    expect(drip(stream)).toBe(stream);
  });
});
