export interface Answer<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
}

export type Call<T> = () => Promise<Answer<T> & { readonly response: Response }>;

const RETRY_MS = 1_000;
const SERVER_ERROR = 500;

interface Outcome<T> extends Answer<T> {
  /** Network errors and server errors may be gone a moment later. Other problems are final. */
  readonly isFinal: boolean;
}

/** A proxy may answer without a body. */
async function once<T>(call: Call<T>): Promise<Outcome<T>> {
  try {
    const { data, error, response } = await call();
    if (response.ok) return { data, isFinal: true };
    return { error: error || new Error(response.statusText), isFinal: response.status < SERVER_ERROR };
  } catch (error) {
    return { error, isFinal: false };
  }
}

/** Sends a request that reads, and once more after an error that may pass. Every failure has an error. */
export async function answerOf<T>(call: Call<T>): Promise<Answer<T>> {
  const first = await once(call);
  if (first.isFinal) return first;
  await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  return once(call);
}
