// A route handler of Next: the file app/v1/jobs/route.js of an app.
import { listEndpoint } from 'tamis/http';
import { jobs, options } from './jobs.mjs';

export const dynamic = 'force-dynamic'; // never rendered at build time

// Next loads modules again in development. One endpoint per process keeps the waiting requests together.
globalThis.jobsEndpoint ??= listEndpoint(jobs, options);
const { fetch } = globalThis.jobsEndpoint;

export { fetch as GET, fetch as HEAD, fetch as OPTIONS };
