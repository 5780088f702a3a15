const nameForm = /^\w(?:[\w.-]*\w)?$/;
/** Maximum length of a role name, in characters. Prevents names that are too long for a storage path. */
const maxNameLength = 256;

/** Whether a role name is valid: letters, digits and `_`, plus `-` and `.` except at the ends. */
export function isRoleName(name: string): boolean {
  return name.length <= maxNameLength && nameForm.test(name);
}
