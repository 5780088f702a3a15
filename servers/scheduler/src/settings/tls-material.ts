import { createPrivateKey, X509Certificate } from 'node:crypto';
import { exposureOf } from '@tamis/http';
import type { TlsConfig, TlsMaterial } from '../agent-config.js';
import type { SecretFiles } from './secret-variables.js';

/** Certificates that cannot be used. The message names the file. */
export class TlsError extends Error {
  override readonly name = 'TlsError';
}

/**
 * Reads the certificates and makes sure that they can be used, so that a mistake is told at the start and not to the
 * first client.
 *
 * @throws TlsError
 */
export async function readTlsMaterial(
  { certFile, keyFile, caFile }: TlsConfig,
  files: SecretFiles,
  now: number,
): Promise<TlsMaterial> {
  const cert = await read('certificate', certFile, files);
  const key = await read('key', keyFile, files);
  const exposure = exposureOf(keyFile, await files.modeOf(keyFile));
  if (exposure !== null) throw new TlsError(`tls.key_file ${exposure}`);
  const ca = caFile === null ? null : await read('certificate', caFile, files);
  const certificate = attempt(certFile, 'no certificate in PEM', () => new X509Certificate(cert));
  const privateKey = attempt(keyFile, 'no private key in PEM, or it has a passphrase', () =>
    createPrivateKey(key),
  );
  if (ca !== null && caFile !== null) {
    attempt(caFile, 'no certificate in PEM', () => new X509Certificate(ca));
  }
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new TlsError(`tls.key_file ${keyFile} is not the key of the certificate in ${certFile}`);
  }
  if (Date.parse(certificate.validTo) < now) {
    throw new TlsError(`tls.cert_file ${certFile} was valid until ${certificate.validTo}`);
  }
  return { cert, key, ca };
}

async function read(what: string, file: string, files: SecretFiles): Promise<Buffer> {
  try {
    return await files.read(file);
  } catch (error) {
    throw new TlsError(
      `The ${what} ${file} cannot be read: ${error instanceof Error ? error.message : 'why?'}`,
    );
  }
}

function attempt<T>(file: string, problem: string, action: () => T): T {
  try {
    return action();
  } catch {
    throw new TlsError(`${file} is ${problem}`);
  }
}
