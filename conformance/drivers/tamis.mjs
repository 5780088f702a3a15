// A program under test, the package `tamis`: tamis-conformance run -- node drivers/tamis.mjs
import * as engine from 'tamis';
import { serveTamis } from './tamis-answers.mjs';

await serveTamis(engine, '', process);
