import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One element of ASN.1 in its distinguished encoding (X.690). */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('localhost')))));

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
  /** Holds both as `cert.pem` and `key.pem`. */
  readonly directory: string;
}

/** A certificate of this very hour for localhost and 127.0.0.1, signed by itself. */
export async function makeCertificate(serial = 1): Promise<TestCertificate> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const hour = 3_600_000;
  const validity = sequence(time(new Date(Date.now() - hour)), time(new Date(Date.now() + hour)));
  const alternatives = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const extension = sequence(oid('551d11'), der(0x04, alternatives));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(serial)),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', body, privateKey));
  const bytes = sequence(body, ecdsaWithSha256, signature).toString('base64');
  const cert = `-----BEGIN CERTIFICATE-----\n${bytes.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const directory = await mkdtemp(join(tmpdir(), 'secrets-tls-'));
  await writeFile(join(directory, 'cert.pem'), cert);
  await writeFile(join(directory, 'key.pem'), key, { mode: 0o600 });
  return { cert, key, directory };
}
