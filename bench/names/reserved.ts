/** Words that some language of the competitors, or JavaScript, reads as something else than a field: none is ever drawn. */
export const reserved: ReadonlySet<string> = new Set(
  `abs abstract all always and any arguments array as asc async await between bool boolean break bytes case catch ceil
  class const constructor contains continue date debugger default delete desc do double duration dyn else empty
  endswith enum eval exists export extends false filter final finally float floor for from function get goto has
  hasownproperty if implements import in instanceof int integer interface is isprototypeof item keys length let like
  list log long map matches max min mod name namespace native new nil not null number object of on one op or package
  private protected prototype proto public random regex return round self set short size some sqrt startswith static
  string struct substr sum super switch synchronized test then this throw time timestamp to tostring transient true
  try type typeof uint undefined val value valueof values var variables void volatile where while with yield`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
