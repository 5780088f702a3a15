// A program under test, the package `tamis`: tamis-conformance run -- node drivers/tamis.mjs
import * as engine from 'tamis';
import { lint } from 'tamis/lint';
import { serveTamis } from './tamis-answers.mjs';

await serveTamis({ ...engine, lint }, '', process);
