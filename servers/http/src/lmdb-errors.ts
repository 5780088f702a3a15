let isHushed = false;

/**
 * Leaves out what the library of LMDB writes to the console of a commit that fails: it rejects the promise of the commit
 * with the same error, and who made the commit tells of it once, in words.
 */
export function hushLmdbErrors(): void {
  if (isHushed) return;
  isHushed = true;
  const write = console.error;
  console.error = (...said: unknown[]) => {
    if (said.length === 1 && isErrorOfLmdb(said[0])) return;
    write(...said);
  };
}

/** Its errors have a number, where those of the runtime have a name. */
function isErrorOfLmdb(said: unknown): boolean {
  return said instanceof Error && typeof (said as { readonly code?: unknown }).code === 'number';
}
