import type { Server } from 'node:http';
import { Server as TlsServer, type SecureContextOptions } from 'node:tls';

/** A certificate with its chain and key, PEM. */
export interface Certificate {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Returns the TLS options of the HTTPS listener. Older versions of TLS are broken (RFC 8996). */
export function secureOptions({ cert, key }: Certificate): SecureContextOptions {
  return { cert, key, minVersion: 'TLSv1.2' };
}

/** Uses a new certificate for new connections. Does nothing for a listener without TLS. */
export function renewCertificate(server: Server, certificate: Certificate): void {
  if (server instanceof TlsServer) server.setSecureContext(secureOptions(certificate));
}
