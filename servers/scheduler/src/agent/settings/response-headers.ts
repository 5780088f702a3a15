import { converted, map, text, type Reader } from '@tamis/config';

/** Headers that determine length and encoding of a response. */
const framing: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const token = /^[\w!#$%&'*+.^`|~-]+$/;
const printable = /^[!-~](?:[ -~]*[!-~])?$/;

/** Names are tokens, values printable characters: anything else could end the header and begin another (RFC 9110, 5). */
export function headerMap(): Reader<ReadonlyMap<string, string>> {
  return converted(map(text({ scalars: true })), (headers, refuse) => {
    for (const [name, value] of headers) {
      if (!token.test(name)) refuse(`${JSON.stringify(name)} is no name of a header`);
      if (framing.has(name.toLowerCase())) refuse(`${name} is set by the server itself`);
      if (!printable.test(value)) refuse(`the value of ${name} is not printable ASCII text`);
    }
    return headers;
  });
}
