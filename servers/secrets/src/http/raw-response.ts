import { STATUS_CODES } from 'node:http';
import { headersFor, type ResponseHeaders } from './response-headers.js';

/** Returns a response to invalid input as a string to be written before closing the connection. */
export function rawResponse(status: number, message: string, headers: ResponseHeaders): string {
  const body = JSON.stringify({ errors: [message] });
  const lines = new Map([
    ['Cache-Control', 'no-store'],
    ['Content-Type', 'application/json'],
    ...headersFor(headers, status),
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close'],
  ]);
  const head = [...lines].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${head}\r\n${body}`;
}
