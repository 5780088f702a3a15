const plain = /^[ -~]*$/;

/**
 * Returns a name for comparison: `Dev` and `dev` are equal. Similar letters fold to the same one, such as the Kelvin sign to `k`
 * and the long s to `s`: a policy that denies a name denies all its spellings. Names themselves are checked before folding, and
 * have only plain letters.
 */
export function foldName(name: string): string {
  if (plain.test(name)) return name.toLowerCase();
  // Lower case first: the capital sharp s becomes two letters only through its lower-case form.
  const cased = name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  const folded = cased.normalize('NFKC');
  // The lower case of sigma depends on the next character.
  return folded.replaceAll('ς', 'σ');
}
