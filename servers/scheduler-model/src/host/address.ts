import { isIPv6 } from 'node:net';

/** A place to connect to. */
export interface Address {
  /** A name or an IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** An address that cannot be read. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** Longest name that the DNS knows (RFC 1035, 2.3.4). Stops whole pages from being looked up. */
const maxHostLength = 253;

/**
 * Reads `host:port`, `host`, `[v6]:port` or a bare IPv6 address.
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

/** `host:port`, IPv6 in brackets. */
export function formatAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function isHostName(text: string): boolean {
  return text !== '' && text.length <= maxHostLength && /^[\w.-]+$/.test(text);
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
