import type { Server } from 'node:http';
import { Server as TlsServer, type SecureContextOptions } from 'node:tls';

/** A certificate with its chain, and its key, PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The TLS identity of the HTTPS listener. Older versions of TLS are broken (RFC 8996). */
export function secureOptions({ cert, key }: Certificate): SecureContextOptions {
  return { cert, key, minVersion: 'TLSv1.2' };
}

/** Shows another certificate from the next connection on; a listener without TLS has none to change. */
export function renewCertificate(server: Server, certificate: Certificate): void {
  if (server instanceof TlsServer) server.setSecureContext(secureOptions(certificate));
}
