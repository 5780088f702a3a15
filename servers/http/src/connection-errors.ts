const untrusted = 'its certificate is not trusted: NODE_EXTRA_CA_CERTS names a file with who signed it';

/** Explanations of error codes for the user who entered the address. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'no process listens there'],
  ['ENOTFOUND', 'there is no such host'],
  ['UND_ERR_SOCKET', 'it hung up: where it speaks TLS, its address begins with https://'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS, so its address begins with http://'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', untrusted],
  ['SELF_SIGNED_CERT_IN_CHAIN', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT', untrusted],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', untrusted],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', untrusted],
]);

/** Returns why `fetch` could not reach a server, for the user of a command. */
export function whyUnreachable(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code = '', message, name } = cause as NodeJS.ErrnoException;
  const [first = ''] = (message || code || name).split('\n');
  return reasons.get(code) ?? first.trim();
}
