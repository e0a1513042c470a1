import { DevInboxService, InboxMessage } from '../../../src/messaging/delivery';
import { eventually } from '../service/eventually';
import type { TestService } from '../service/test-service';

/** Messages of the development inbox to an address or a number, newest first. */
export function messagesTo(service: TestService, target: string): InboxMessage[] {
  return service.app
    .get(DevInboxService, { strict: false })
    .messages()
    .filter(({ to }) => to === target);
}

const CODE = /(?<!\d)\d{6,8}(?!\d)/;

/** Codes sent to an address or a number, newest first. Other messages, such as notices, have none. */
const codesTo = (service: TestService, target: string): string[] =>
  messagesTo(service, target).flatMap(({ text }) => CODE.exec(text)?.[0] ?? []);

/** The newest code sent to an address or a number. Throws when there is none. */
export function lastCode(service: TestService, target: string): string {
  const [newest] = codesTo(service, target);
  if (newest === undefined) throw new Error(`No code was sent to ${target}`);
  return newest;
}

/** Waits for the first code, after a page has said that it is on its way. */
export async function firstCode(service: TestService, target: string): Promise<string> {
  await eventually(
    async () => codesTo(service, target),
    (codes) => codes.length > 0,
  );
  return lastCode(service, target);
}
