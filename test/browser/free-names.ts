import type { TestService } from '../support/service/test-service';

const FREE_NAMES = `UPDATE user_account SET username = left(username, 40) || '_' || left(md5(id::text), 8),
  email = NULL, email_key = NULL, phone = NULL WHERE created_at >= $1`;

/** The second try of a test registers its users again, so it finds their names and contacts free. */
export function freeNamesForSecondTries(service: () => TestService): void {
  let first: { readonly name: string | undefined; readonly at: Date } | undefined;
  beforeEach(async () => {
    const name = expect.getState().currentTestName;
    if (first?.name === name) await service().query(FREE_NAMES, [first?.at]);
    else first = { name, at: new Date() };
  });
}
