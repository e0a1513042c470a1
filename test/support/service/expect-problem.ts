/** A response of `TestClient`, or the status and the body of one. */
interface Received {
  readonly status: number;
  readonly body: unknown;
}

/** Expects an error of the service: the status of the response, and the status and the code of its problem. */
export function expectProblem({ status, body }: Received, expected: number, code: string): void {
  expect({ status, body }).toMatchObject({ status: expected, body: { status: expected, code } });
}
