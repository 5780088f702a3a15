export { listEndpoint, type Endpoint } from '../http/endpoint.js';
export { HttpError } from '../http/http-error.js';
export {
  listTool,
  type ListTool,
  type ListToolOptions,
  type ListToolResult,
  type ToolCallContext,
} from '../http/list-tool.js';
export { listPlugin, type FastifyApp } from '../http/list-plugin.js';
export type { ListResponse, CorsOptions, RequestHead } from '../http/response.js';
export {
  headerDescriptions,
  parameterDescriptions,
  type EndpointParameter,
  type HeaderName,
  type ParameterName,
} from '../http/parameters.js';
export type { EndpointOptions } from '../http/endpoint-options.js';
export type { FastifyReply, FastifyRequest, NodeRequest, NodeResponse } from '../http/hosts.js';
export type { OpenApiFragment } from '../http/openapi.js';
export type { JSONSchema } from '../http/row-schema.js';

// The following is for programs that implement their own transport and own their rows.
export {
  defaultResponseCacheLimits,
  type ResponseCacheLimits,
  type RenderedPage,
} from '../http/response-cache.js';
export {
  createListHandler,
  type ListHandler,
  type ListHandlerOptions,
  type LongPoll,
  type ResponseWatch,
  type ListRequest,
  type WatchedList,
} from '../http/list-handler.js';
export type { RenderRequest } from '../http/render-page.js';
export type { ParsedQuery } from '../lists/query/request/query.js';
export type { ListView } from '../lists/query/source/row-source.js';
export type { TimeSlicer, WorkStep } from '../runtime/time-slicer.js';
export type { ListForm } from '../runtime/json-list.js';
