const plain = /^[ -~]*$/;

/**
 * Returns the form of a name for comparison: `Dev` and `dev` are equal. Similar letters are equal too, such as the Kelvin sign
 * and `k`, or the long s and `s`, so that a policy that denies a name denies all its spellings. Names themselves are checked
 * before folding, and have only plain letters.
 */
export function foldName(name: string): string {
  if (plain.test(name)) return name.toLowerCase();
  // Lower case first, because the capital sharp s becomes two letters only by way of its lower-case form.
  const cased = name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  const folded = cased.normalize('NFKC');
  // The lower case of sigma depends on the next character, so both forms are made equal.
  return folded.replaceAll('ς', 'σ');
}
