import { appPrivacy, appTerms } from '../../../src/settings';
import { termsAtLogin, termsRequired, termsVersion } from '../../../src/users';
import type { TestService } from '../service/test-service';

export const TERMS_VERSION = '2026-01';

/** Publishes terms, which no one has to accept yet. */
export async function publishTerms(service: TestService): Promise<void> {
  await service.set(appTerms, '/terms');
  await service.set(termsVersion, TERMS_VERSION);
}

/** Publishes terms that every registration has to accept. */
export async function requireTerms(service: TestService): Promise<void> {
  await publishTerms(service);
  await service.set(termsRequired, true);
}

export async function resetTerms(service: TestService): Promise<void> {
  // In this order, because terms that are required need a version and a page.
  for (const setting of [termsRequired, termsAtLogin]) await service.set(setting, false);
  for (const setting of [termsVersion, appTerms, appPrivacy]) await service.set(setting, '');
}
