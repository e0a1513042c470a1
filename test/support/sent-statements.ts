import { currentRequest } from '../../src/platform/context';
import { RequestClient } from '../../src/platform/database/request-client';

/** Every statement of a connection to the server passes it. */
interface Sender {
  sendPrepared(args: readonly unknown[]): Promise<unknown>;
}

/** The statements, sorted and without their values, that requests send to the database server during the work. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const sender = RequestClient.prototype as unknown as Sender;
  const { sendPrepared } = sender;
  const watch = jest.spyOn(sender, 'sendPrepared').mockImplementation(function (this: Sender, args) {
    // Jobs have no request.
    if (currentRequest()) sent.push(String(args[0]));
    return sendPrepared.call(this, args);
  });
  try {
    await work();
  } finally {
    watch.mockRestore();
  }
  return sent.sort();
}
