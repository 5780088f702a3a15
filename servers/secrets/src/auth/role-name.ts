const nameForm = /^\w(?:[\w.-]*\w)?$/;
/** Stops names that no storage could keep as a path. */
const maxNameLength = 256;

/** Whether a role can be called this: letters, digits and `_`, inside also `-` and `.`. */
export function isRoleName(name: string): boolean {
  return name.length <= maxNameLength && nameForm.test(name);
}
