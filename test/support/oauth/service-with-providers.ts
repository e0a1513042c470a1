import { FakeProviders } from './fake-providers';
import { TestService } from '../service/test-service';

/** A service behind a trusted proxy with fake login providers. */
export async function startWithProviders(): Promise<{ service: TestService; providers: FakeProviders }> {
  const service = await TestService.start({
    environment: {
      TRUSTED_PROXIES: '127.0.0.1',
      ALLOWED_HOSTS: 'localhost,id.example.com',
      METRICS_ALLOW: '10.0.0.0/8',
    },
  });
  return { service, providers: new FakeProviders(service) };
}
