import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readTlsMaterial } from '../../src/agent/settings/tls-material.js';

const folder = new URL('../support/certificates/', import.meta.url);
const now = Date.UTC(2030, 0);

function readFile(name: string): Promise<Buffer> {
  if (name === 'empty.pem') return Promise.resolve(Buffer.alloc(0));
  return Promise.resolve().then(() => readFileSync(new URL(name, folder)));
}

/** Reads with the modes of some files; others are their owner's. */
function read(
  certFile: string,
  keyFile: string,
  caFile: string | null = null,
  { at = now, modes = {} }: { at?: number; modes?: Readonly<Record<string, number>> } = {},
) {
  const files = { read: readFile, modeOf: async (name: string) => modes[name] ?? 0o100600 };
  return readTlsMaterial({ certFile, keyFile, caFile, http: true, rpc: false }, files, at);
}

describe('certificates', () => {
  it('are read', async () => {
    const { cert, key, ca } = await read('cert.pem', 'key.pem', 'cert.pem');
    expect(cert.toString()).toMatch(/^-----BEGIN CERTIFICATE/);
    expect(key.toString()).toMatch(/^-----BEGIN PRIVATE KEY/);
    expect(ca).toEqual(cert);
    expect((await read('cert.pem', 'key.pem')).ca).toBeNull();
  });

  it.each<[files: [string, string, string?], message: RegExp]>([
    [['none.pem', 'key.pem'], /^The certificate none\.pem cannot be read: ENOENT/],
    [['cert.pem', 'none.pem'], /^The key none\.pem cannot be read: ENOENT/],
    [['empty.pem', 'key.pem'], /^empty\.pem is no certificate in PEM$/],
    [['key.pem', 'key.pem'], /^key\.pem is no certificate in PEM$/],
    [['cert.pem', 'cert.pem'], /^cert\.pem is no private key in PEM/],
    [
      ['cert.pem', 'other-key.pem'],
      /^tls\.key_file other-key\.pem is not the key of the certificate in cert\.pem$/,
    ],
    [['cert.pem', 'key.pem', 'key.pem'], /^key\.pem is no certificate in PEM$/],
  ])('are refused: %j', async ([cert, key, ca], message) => {
    await expect(read(cert, key, ca ?? null)).rejects.toThrow(message);
  });

  it.each<[mode: number, refused: string | null]>([
    [0o600, null],
    [0o640, null],
    [0o644, 'everybody may read it'],
    [0o660, 'others than its owner may write it'],
  ])('have a key of the mode %i or not', async (mode, refused) => {
    // Everybody may read certificates.
    const modes = { 'key.pem': 0o100000 + mode, 'cert.pem': 0o100644 };
    const material = read('cert.pem', 'key.pem', null, { modes });
    if (refused === null) await expect(material).resolves.toHaveProperty('key');
    else
      await expect(material).rejects.toThrow(
        `tls.key_file key.pem holds secrets and has the mode 0${mode.toString(8)}: ${refused}`,
      );
  });

  it('are refused when their time is over', async () => {
    const late = read('cert.pem', 'key.pem', null, { at: Date.UTC(2200, 0) });
    await expect(late).rejects.toThrow(/was valid until/);
  });
});
