import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface SunkMail {
  readonly mail: Email;
  readonly raw: string;
  readonly from: string;
  readonly to: string[];
  /** Whether the mail arrived over TLS. */
  readonly secure: boolean;
  readonly username: string | undefined;
  /** Host name in EHLO. */
  readonly name: string;
}

/** A self-signed certificate for 127.0.0.1 and localhost. */
export function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A mail server that stores every mail. */
export class SmtpSink {
  readonly mails: SunkMail[] = [];
  /** Number of completely received mail contents. */
  contents = 0;
  connections = 0;
  /** Response to a received mail. Accepts it by default. */
  answer: (reply: (error?: Error | null) => void) => void = (reply) => {
    reply();
  };

  private constructor(
    private readonly server: SMTPServer,
    readonly port: number,
  ) {}

  static async start(options: SMTPServerOptions = {}): Promise<SmtpSink> {
    // eslint-disable-next-line prefer-const -- the server's handlers speak of the sink that holds the server
    let sink: SmtpSink;
    const server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 100,
      onConnect: (_, callback) => {
        sink.connections++;
        callback();
      },
      onAuth: ({ username, password }, _, callback) => {
        if (password === 'right') callback(null, { user: username });
        else callback(new Error('Wrong password'));
      },
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString('utf8');
          sink.contents++;
          void PostalMime.parse(raw).then((mail) => {
            const { mailFrom, rcptTo } = session.envelope;
            sink.mails.push({
              mail,
              raw,
              from: mailFrom === false ? '' : mailFrom.address,
              to: rcptTo.map(({ address }) => address),
              secure: session.secure,
              username: session.user as string | undefined,
              name: session.hostNameAppearsAs,
            });
            sink.answer(callback);
          });
        });
      },
      ...options,
    });
    server.on('error', () => undefined);
    const port = await new Promise<number>((resolve) => {
      const listener = server.listen(0, '127.0.0.1', () => {
        resolve((listener.address() as AddressInfo).port);
      });
    });
    sink = new SmtpSink(server, port);
    return sink;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}

/** An SMTP error response such as `smtpError(550, 'No such user')`. */
export const smtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode });
