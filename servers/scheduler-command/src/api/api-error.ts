/** An answer that refuses, or none at all. The message is for whoever sits in front of it, and may have several lines. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Of the answer; 0 where there was none. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
