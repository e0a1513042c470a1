import { FakeProvider, roundTrip } from './fake-providers';
import { TestClient } from '../service/test-client';
import { TestService } from '../service/test-service';

export type Claims = Parameters<FakeProvider['person']>[1];

export interface OfferedLink {
  readonly client: TestClient;
  readonly provider: FakeProvider;
  readonly subject: string;
  readonly temp_token: string;
}

/** An unknown user returns from the provider and gets the offer to link an account. */
export async function offerLink(
  service: TestService,
  provider: FakeProvider,
  subject: string,
  claims: Claims,
): Promise<OfferedLink> {
  const client = service.client();
  provider.person(subject, claims);
  const { body } = await roundTrip(client, provider);
  if (body.temp_token === undefined) throw new Error(`Linking was not offered: ${JSON.stringify(body)}`);
  return { client, provider, subject, temp_token: body.temp_token };
}
