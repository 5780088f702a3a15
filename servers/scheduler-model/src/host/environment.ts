/** The text in the place of a value that is not shown. */
export const redacted = '<redacted>';

/** Names of variables that hold what gives access to something. */
const sensitiveNames =
  /token|secret|passw|passphrase|credential|private_?key|api_?key|access_?key|auth_?key|_auth$|_license(?:_path)?$|^aws_metadata_url$/i;

/** A password inside an address, such as that of a proxy or a database. */
const passwordInUrl = /^[a-z][a-z0-9+.-]*:\/\/[^/?#:]*:[^/?#@]*@/i;

/** The environment without what is known to be sensitive. What is not known by its name or form is shown. */
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
