import { createTransport } from 'nodemailer';
import type { Readable } from 'node:stream';
import { normalizeEmail } from '../../../users';
import { DeliveryLimitsService } from '../delivery-limits.service';
import { Mail } from '../mailer';
import { SendResult } from '../send-result';
import { needsTls, SmtpAccount } from './smtp-account';
import { SmtpFailure, smtpOutcome } from './smtp-outcome';

export interface SmtpOptions {
  readonly limits: DeliveryLimitsService;
  /** Certificates to trust in addition to the system's. */
  readonly ca?: string;
}

const CONNECTIONS = 4;
const MAILS_A_CONNECTION = 100;
const IDLE_MS = 30_000;

function openPool(account: SmtpAccount, { limits, ca }: SmtpOptions) {
  const { host, port, secure, name, username, password } = account;
  const strict = secure || needsTls(account);
  return createTransport({
    pool: true,
    host,
    port,
    secure,
    name,
    requireTLS: !secure && strict,
    opportunisticTLS: !strict,
    // Where TLS is optional, unverified TLS is still better than none (RFC 7435).
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: strict, ...(ca !== undefined && { ca }) },
    ...(username !== '' && { auth: { user: username, pass: password } }),
    connectionTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    socketTimeout: limits.totalMs,
    maxConnections: CONNECTIONS,
    maxMessages: MAILS_A_CONNECTION,
    // Retries once on another connection when the server had closed an idle one, and never after the mail was handed
    // over.
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** A pool of connections to one mail server. */
export class SmtpTransport {
  private readonly pool: ReturnType<typeof openPool>;
  private readonly limits: DeliveryLimitsService;
  /**
   * The content stream of each mail in flight, by message id. An unread stream means that the mail was not handed over.
   */
  private readonly contents = new Map<string, Readable>();

  constructor(
    private readonly account: SmtpAccount,
    options: SmtpOptions,
  ) {
    this.limits = options.limits;
    this.pool = openPool(account, options);
    this.pool.use('stream', (mail, done) => {
      const { message } = mail;
      const open = message.createReadStream.bind(message);
      message.createReadStream = (streamOptions) => {
        const content = open(streamOptions);
        this.contents.set(message.messageId(), content);
        return content;
      };
      done();
    });
  }

  /** Never throws for a failure of the server. */
  async send(mail: Mail): Promise<SendResult> {
    const { sender } = this.account;
    const to = normalizeEmail(mail.to)?.display;
    if (to === undefined) return { outcome: 'rejected', provider: 'smtp', providerCode: 'bad_address' };
    const messageId = `<${mail.id}@${sender.address.slice(sender.address.indexOf('@') + 1)}>`;
    try {
      const sent = await this.pool.sendMail({
        messageId,
        from: sender,
        to: { name: '', address: to },
        envelope: { from: sender.address, to: [to] },
        subject: mail.subject,
        text: mail.text,
        ...(mail.html !== undefined && { html: mail.html }),
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.language },
        signal: AbortSignal.timeout(this.limits.totalMs),
      });
      return { outcome: 'accepted', provider: 'smtp', providerMessageId: sent.messageId };
    } catch (error) {
      return smtpOutcome(error as SmtpFailure, this.contents.get(messageId)?.readableDidRead ?? false);
    } finally {
      this.contents.delete(messageId);
    }
  }

  /** Lets mails in flight finish and accepts no new ones. */
  close(): void {
    this.pool.close();
  }
}
