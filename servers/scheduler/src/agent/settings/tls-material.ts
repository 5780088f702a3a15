import { createPrivateKey, X509Certificate } from 'node:crypto';
import { exposureOf } from '@tamis/http';
import type { TlsConfig, TlsMaterial } from './agent-config.js';
import type { SecretFiles } from './secret-variables.js';

/** Error of unusable certificates. The message names the file. */
export class TlsError extends Error {
  override readonly name = 'TlsError';

  /** @param setting the setting that names the file, such as `tls.key_file`. */
  constructor(
    readonly setting: string,
    message: string,
  ) {
    super(message);
  }
}

const settings = { cert: 'tls.cert_file', key: 'tls.key_file', ca: 'tls.ca_file' } as const;

/**
 * Reads and validates the certificates, so that mistakes are reported at the start and not by the first connection.
 *
 * @throws TlsError
 */
export async function readTlsMaterial(
  { certFile, keyFile, caFile }: TlsConfig,
  files: SecretFiles,
  now: number,
): Promise<TlsMaterial> {
  const cert = await read(settings.cert, certFile, files);
  const key = await read(settings.key, keyFile, files);
  const exposure = exposureOf(keyFile, await files.modeOf(keyFile));
  if (exposure !== null) throw new TlsError(settings.key, `${settings.key} ${exposure}`);
  const ca = caFile === null ? null : await read(settings.ca, caFile, files);
  const certificate = attempt(settings.cert, certFile, () => new X509Certificate(cert));
  const privateKey = attempt(settings.key, keyFile, () => createPrivateKey(key));
  if (ca !== null && caFile !== null) {
    attempt(settings.ca, caFile, () => new X509Certificate(ca));
  }
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new TlsError(
      settings.key,
      `${settings.key} ${keyFile} is not the key of the certificate in ${certFile}`,
    );
  }
  if (Date.parse(certificate.validTo) < now) {
    throw new TlsError(settings.cert, `${settings.cert} ${certFile} was valid until ${certificate.validTo}`);
  }
  return { cert, key, ca };
}

type Setting = (typeof settings)[keyof typeof settings];

async function read(setting: Setting, file: string, files: SecretFiles): Promise<Buffer> {
  try {
    return await files.read(file);
  } catch (error) {
    const what = setting === settings.key ? 'key' : 'certificate';
    const why = error instanceof Error ? error.message : 'why?';
    throw new TlsError(setting, `The ${what} ${file} cannot be read: ${why}`);
  }
}

function attempt<T>(setting: Setting, file: string, action: () => T): T {
  try {
    return action();
  } catch {
    const requested =
      setting === settings.key ? 'private key in PEM, or it has a passphrase' : 'certificate in PEM';
    throw new TlsError(setting, `${file} is no ${requested}`);
  }
}
