import { Message } from '../message/message';

/** Sample values for previews and test messages: a code, a link and a contact that belong to no user. */
export const samples: Message['values'] = {
  code: '123456',
  minutes: '10',
  username: 'ann',
  time: '2030-01-31 12:00 UTC',
  contact: 'a***@example.com',
  device: 'Firefox (Linux)',
  webhook: 'Billing',
  actor: 'sam',
  ip: '203.0.113.7',
  organization: 'Acme',
  inviter: 'Bob',
  // As long as the link of a real invitation.
  link: 'https://id.example.com/invitation#sample-sample-sample-sample-sample-sample-s',
  expires: '2030-01-31 12:00 UTC',
};
