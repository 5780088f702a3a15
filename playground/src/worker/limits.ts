/** Largest text of rows, in bytes of a file or characters that were pasted. Stops a page from filling the memory. */
export const maxCharacters = 64 * 1024 * 1024;
/** Most rows that are kept: a list of more would be higher than browsers can draw. */
export const maxRows = 500_000;
/** Deepest nesting of rows. Stops what walks over a row from exhausting the stack. */
export const maxDepth = 100;
/** Most columns of a list, and of a CSV file. */
export const maxColumns = 40;
export const maxFields = 1_000;
/** Maximum number of reported problems with rows. */
export const maxProblems = 20;
