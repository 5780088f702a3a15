/** Why a list over HTTP has no answer. The message is what the server said, or what is wrong with its answer. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  /** Of HTTP; 0 where there was no answer, or only a part of one. */
  readonly status: number;
  /** Milliseconds after which the server wants to be asked again; null where it does not say. */
  readonly retryAfter: number | null;

  constructor(status: number, message: string, retryAfter: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Whether the same question may have an answer in a moment. */
  get isPassing(): boolean {
    return this.status < 400 || this.status === 429 || this.status >= 500;
  }
}
