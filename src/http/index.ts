export { listEndpoint, type Endpoint } from './endpoint.js';
export { HttpError } from './http-error.js';
export { listPlugin, type FastifyApp } from './list-plugin.js';
export type { Answer, CorsOptions, RequestHead } from './answer.js';
export {
  headerTexts,
  parameterTexts,
  type EndpointParameter,
  type HeaderName,
  type ParameterName,
} from './conventions.js';
export type { EndpointOptions } from './endpoint-options.js';
export type { FastifyReply, FastifyRequest, NodeRequest, NodeResponse } from './node-host.js';
export type { OpenApiFragment } from './openapi.js';
export type { JSONSchema } from './row-schema.js';

// What follows is for those with a wire of their own, who hold their rows themselves.
export { defaultAnswerCacheLimits, type AnswerCacheLimits, type MadeList } from './answer-cache.js';
export {
  createAnswerMaker,
  type AnswerMaker,
  type AnswerParts,
  type AnswerWaiter,
  type AnswerWatch,
  type AskedQuestion,
  type WatchedList,
} from './answer-maker.js';
export type { PageJob } from './make-page.js';
export type { ReadQuestion } from '../query/query.js';
export type { ListView } from '../query/row-source.js';
