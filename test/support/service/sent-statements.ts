import { currentRequest } from '../../../src/platform/context';
import { SessionLease } from '../../../src/platform/database/embedded/session-queue';
import type { Statement } from '../../../src/platform/database/embedded/statement';
import { RequestClient } from '../../../src/platform/database/request-client';

/** Every statement of a connection to the server passes it. */
interface Sender {
  sendPrepared(args: readonly unknown[]): Promise<unknown>;
}

function watchServer(note: (text: string) => void): jest.SpyInstance {
  const sender = RequestClient.prototype as unknown as Sender;
  const { sendPrepared } = sender;
  return jest.spyOn(sender, 'sendPrepared').mockImplementation(function (this: Sender, args) {
    note(String(args[0]));
    return sendPrepared.call(this, args);
  });
}

/** As above, of the embedded database. */
function watchEmbedded(note: (text: string) => void): jest.SpyInstance {
  const { query } = SessionLease.prototype;
  return jest.spyOn(SessionLease.prototype, 'query').mockImplementation(function (
    this: SessionLease,
    statement: Statement,
  ) {
    note(statement.text);
    return query.call(this, statement);
  });
}

/** The statements, sorted and without their values, that requests send to the database during the work. */
export async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const note = (text: string): void => {
    // Jobs have no request.
    if (currentRequest()) sent.push(text);
  };
  const watches = [watchServer(note), watchEmbedded(note)];
  try {
    await work();
  } finally {
    for (const watch of watches) watch.mockRestore();
  }
  return sent.sort();
}
