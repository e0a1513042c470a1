import { Message } from '../message';

/** What stands in a preview and in a test: nobody's code, nobody's contact. */
export const samples: Message['values'] = {
  code: '123456',
  minutes: '10',
  username: 'ann',
  time: '2030-01-31 12:00 UTC',
  contact: 'a***@example.com',
  device: 'Firefox (Linux)',
  ip: '203.0.113.7',
};
