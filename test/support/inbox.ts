import { DevInboxService, InboxMessage } from '../../src/messaging/delivery';
import type { TestService } from './test-service';

/** Messages of the development inbox to an address or a number, newest first. */
export function messagesTo(service: TestService, target: string): InboxMessage[] {
  return service.app
    .get(DevInboxService, { strict: false })
    .messages()
    .filter(({ to }) => to === target);
}

/** The code of the newest message to an address or a number. Throws when there is none. */
export function lastCode(service: TestService, target: string): string {
  const [newest] = messagesTo(service, target);
  const code = newest && /(?<!\d)\d{6,8}(?!\d)/.exec(newest.text)?.[0];
  if (code === undefined) throw new Error(`No code was sent to ${target}`);
  return code;
}
