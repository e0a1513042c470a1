import { createHmac } from 'node:crypto';
import { createServer, IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../service/eventually';
import type { FeedItem } from './events';

export interface ReceivedDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: FeedItem;
}

/** A receiver of webhooks on a loopback port. */
export class WebhookReceiver {
  readonly received: ReceivedDelivery[] = [];
  /** Answers the next deliveries. */
  answer: (response: ServerResponse, delivery: ReceivedDelivery) => void = (response) => response.writeHead(204).end();

  private constructor(private readonly server: Server) {}

  static async start(port = 0): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        const delivery = { headers: request.headers, text, event: JSON.parse(text) as FeedItem };
        receiver.received.push(delivery);
        receiver.answer(response, delivery);
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/events`;
  }

  /** Waits for deliveries that satisfy the condition, and returns them. */
  async until(count: number, isWanted: (delivery: ReceivedDelivery) => boolean): Promise<ReceivedDelivery[]> {
    return eventually(
      async () => this.received.filter(isWanted),
      ({ length }) => length >= count,
      40,
    );
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** The signature that a delivery must have (Standard Webhooks). */
export function signatureOf(secret: string, { headers, text }: ReceivedDelivery): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
