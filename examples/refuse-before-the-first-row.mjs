// With a schema, mistakes are found before the first row, on an empty list too.
import { compileFilter, defineSchema, FilterError, t } from 'tamis';

const schema = defineSchema({
  ID: t.string,
  Status: t.string,
  Priority: t.int,
  SecretID: t.hidden(t.string),
});

for (const text of ['Stauts == "running"', 'Priority == high', 'SecretID == "x"', 'Status = running']) {
  try {
    compileFilter(text, { schema });
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    console.log(`${error.code} at ${error.line}:${error.column}`);
    console.log(error.frame);
  }
}

// Prints:
// find-no-field at 1:1
//   1 | Stauts == "running"
//     | ^^^^^^ there is no such field
//   hint: did you mean Status?
// coerce-syntax at 1:13
//   1 | Priority == high
//     |             ^^^^ not an int
//   hint: write a whole number, such as 50
// find-no-field at 1:1
//   1 | SecretID == "x"
//     | ^^^^^^^^ there is no such field
//   hint: the fields here are ID, Status, Priority
// no-match at 1:8
//   1 | Status = running
//     |        ^ expected an operator such as == or in, found "="
//   hint: Use == for equality.
