// Why did a row match or not, why is a result empty, and what looks wrong in a filter that is accepted?
import { diagnose, explain } from 'tamis/explain';
import { applySuggestion, lint } from 'tamis/lint';

const jobs = [
  { ID: 'web', Status: 'running', Priority: 50 },
  { ID: 'etl', Status: 'dead', Priority: 70 },
];
const text = 'Status == runing and Priority == 50';

console.log(String(explain(text, jobs[0])));

const diagnosis = diagnose(text, jobs);
console.log(String(diagnosis));
if (diagnosis.suggestion !== null) console.log(applySuggestion(text, diagnosis.suggestion));

for (const finding of lint('Status == running and Status == dead')) console.log(finding.message);

// Prints:
// Status == runing is false: Status is "running"
//
// false  and
// false    Status == runing: Status is "running"
// -        Priority == 50: not needed
//
// Status == runing matches none of 2 rows, though 1 would match without it; there are "running" (1). Did you mean "running"?
// Status == "running" and Priority == 50
// Status == "running" and Status == "dead" is never true
