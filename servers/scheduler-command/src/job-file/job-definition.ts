/** A job as the API accepts it. */
export type JobDefinition = Readonly<Record<string, unknown>>;

/** Maximum length of a job file, in UTF-16 units: more than servers accept. Prevents a wrong file from filling the memory. */
export const maxJobFile = 16 * 2 ** 20;
