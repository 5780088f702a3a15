import { BlockList, isIP } from 'node:net';
import { EtcdError } from '../errors.js';

export interface EtcdSettings {
  /** URLs of members, such as `http://127.0.0.1:2379`; `https` for every one that is not on loopback. */
  readonly endpoints: readonly string[];
  /** Paths of PEM files, read again for each channel, so that a certificate can be replaced while in use. */
  readonly tls?: TlsFiles;
  readonly user?: UserFile;
}

export interface TlsFiles {
  /** File of the CA that signs the certificates of members. Default: the CAs of the machine. */
  readonly caFile?: string;
  /** Files of the client certificate and its key: both or neither. */
  readonly certificateFile?: string;
  readonly keyFile?: string;
  /** Name in the certificates of members, if it is not the host of the URL. */
  readonly serverName?: string;
}

/** A user of etcd. The password is the content of the file up to the first line break; it is read whenever a token is requested. */
export interface UserFile {
  readonly name: string;
  readonly passwordFile: string;
}

/** A member's address, as it was configured. */
export interface Endpoint {
  readonly url: string;
  /** Host and port. */
  readonly address: string;
  readonly isSecure: boolean;
}

/**
 * Validates and returns the endpoints of the settings: no data is sent to other machines without TLS.
 *
 * @throws EtcdError `configuration`, with the setting and its expected value.
 */
export function readEndpoints({ endpoints, tls, user }: EtcdSettings): readonly Endpoint[] {
  if (endpoints.length === 0) throw misconfigured('endpoints: at least one URL of a member is needed');
  const read = endpoints.map(readEndpoint);
  const twice = read.find(({ address }, at) => read.findIndex((other) => other.address === address) < at);
  if (twice !== undefined) throw misconfigured(`endpoints: ${twice.address} is there twice`);
  if ((tls?.certificateFile === undefined) !== (tls?.keyFile === undefined))
    throw misconfigured('tls: a client certificate needs its key, and a key its certificate');
  if (tls !== undefined && !read.some(({ isSecure }) => isSecure))
    throw misconfigured('tls: no endpoint is reached by https, so the certificates would not be used');
  if (user?.name === '') throw misconfigured('user: the name is empty');
  return read;
}

function readEndpoint(text: string): Endpoint {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw misconfigured(`endpoints: ${quoted(text)} is not a URL such as https://etcd-1.example:2379`);
  // The message does not quote the URL, which may contain a password.
  if (url.username !== '' || url.password !== '')
    throw misconfigured(
      `endpoints: a URL with a user or a password (host ${url.host}): set user and passwordFile`,
    );
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw misconfigured(`endpoints: ${quoted(text)} has more than a scheme, a host and a port`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw misconfigured(`endpoints: ${quoted(text)} is not on loopback, so it must be reached by https`);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return { url: text, address: `${url.hostname}:${port}`, isSecure: url.protocol === 'https:' };
}

const loopbackNetwork = new BlockList();
loopbackNetwork.addSubnet('127.0.0.0', 8, 'ipv4');

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && loopbackNetwork.check(host, 'ipv4'))
  );
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}

function misconfigured(message: string): EtcdError {
  return new EtcdError('configuration', `etcd ${message}`);
}
