import type { Problem } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('one username', () => {
  let service: TestService;
  let other: TestService;

  withService(async (started) => {
    service = started;
    other = await service.another();
  });

  it('is registered once by 200 parallel requests on two instances', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const client = (index % 2 === 0 ? service : other).client();
        const username = index % 3 === 0 ? 'wanted' : 'Wanted';
        return client.post<Problem>('/api/auth/register', { username, password: PASSWORD });
      }),
    );
    const outcomes = answers.map(({ status, body }) => (status === 201 ? '201' : `${status} ${body.code}`));
    expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === '409 username_taken')).toHaveLength(199);
    expect(await service.query(`SELECT 1 FROM user_account WHERE lower(username) = 'wanted'`)).toHaveLength(1);
  });
});
