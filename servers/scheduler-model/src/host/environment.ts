/** Replacement for a hidden value. */
export const redacted = '<redacted>';

/** Names of variables that usually contain credentials. */
const sensitiveNames =
  /token|secret|passw|passphrase|credential|private_?key|api_?key|access_?key|auth_?key|_auth$|_license(?:_path)?$|^aws_metadata_url$/i;

/** Matches a password in a URL, such as a proxy or database URL. */
const passwordInUrl = /^[a-z][a-z0-9+.-]*:\/\/[^/?#:]*:[^/?#@]*@/i;

/** Returns the environment with known sensitive values redacted. Other values are shown. */
export function redactEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const displayName = Object.entries(environment)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => [name, isSensitive(name, value) ? redacted : value] as const);
  return Object.fromEntries(displayName);
}

function isSensitive(name: string, value: string): boolean {
  return sensitiveNames.test(name) || passwordInUrl.test(value);
}
