/** A job as the API takes it. */
export type JobDefinition = Readonly<Record<string, unknown>>;

/** Longest file of a job, in UTF-16 units: more than any server takes. Stops a wrong file from filling the memory. */
export const maxJobFile = 16 * 2 ** 20;
