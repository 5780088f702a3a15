/** Returns what to do if a package of `optionalDependencies` (the etcd clients) is not installed. Null for other errors. */
export function explainMissingPackage(error: unknown): string | null {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND')
    return null;
  const [, name] = /^Cannot find package '((?:@[\w.-]+\/)?[\w.-]+)/.exec(error.message) ?? [];
  return name === undefined
    ? null
    : `The package ${name}, which etcd needs, is not installed: install this server again with its optional dependencies.`;
}
