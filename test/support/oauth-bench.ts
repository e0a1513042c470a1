import { FakeProviders } from './fake-providers';
import { TestService } from './test-service';

/** One service for all that a spec tries of logins at providers; it is there once tests run. */
export const bench = {} as { service: TestService; providers: FakeProviders };

beforeAll(async () => {
  bench.service = await TestService.start({
    environment: {
      TRUSTED_PROXIES: '127.0.0.1',
      ALLOWED_HOSTS: 'localhost,id.example.com',
      METRICS_ALLOW: '10.0.0.0/8',
    },
  });
  bench.providers = new FakeProviders(bench.service);
});

afterAll(() => bench.service.stop());
