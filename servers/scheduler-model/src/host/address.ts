import { isIPv6 } from 'node:net';

/** Network address to connect to. */
export interface Address {
  /** Host name or IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Error of an invalid address. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** Maximum length of a DNS name (RFC 1035, 2.3.4). Prevents look-ups of very long names. */
const maxHostLength = 253;

/**
 * Parses `host:port`, `host`, `[v6]:port` or a bare IPv6 address.
 *
 * @throws AddressError
 */
export function parseAddress(text: string, defaultPort: number): Address {
  if (isIPv6(text)) return { host: text, port: defaultPort };
  const [, inBrackets, name, digits] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(text) ?? [];
  const host = inBrackets ?? name ?? '';
  if (inBrackets !== undefined ? !isIPv6(inBrackets) : !isHostName(host)) {
    throw new AddressError(`invalid address ${quote(text)}: expected host:port`);
  }
  const port = digits === undefined ? defaultPort : /^\d{1,5}$/.test(digits) ? Number(digits) : NaN;
  if (port >= 1 && port <= 65_535) return { host, port };
  throw new AddressError(`invalid port in address ${quote(text)}: expected 1 to 65535`);
}

/** Returns `host:port`, IPv6 in brackets. */
export function formatAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function isHostName(text: string): boolean {
  return text !== '' && text.length <= maxHostLength && /^[\w.-]+$/.test(text);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
