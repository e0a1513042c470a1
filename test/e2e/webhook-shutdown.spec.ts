import type { ServerResponse } from 'node:http';
import { WebhookDispatcherService } from '../../src/events/webhooks/webhook-dispatcher.service';
import { endOfFeed, recordAct } from '../support/receivers/events';
import { eventually } from '../support/service/eventually';
import { TestService } from '../support/service/test-service';
import { WebhookReceiver } from '../support/receivers/webhook-receiver';

let service: TestService;
let receiver: WebhookReceiver;

beforeAll(async () => {
  service = await TestService.start();
  receiver = await WebhookReceiver.start();
});

afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

const countDelivered = async (): Promise<number> =>
  (await service.query(`SELECT 1 FROM webhook_delivery WHERE state = 'delivered'`)).length;

describe('the delivery of webhooks', () => {
  it('begins no attempt after the service began to stop', async () => {
    const admin = await service.admin();
    const responses: ServerResponse[] = [];
    receiver.answer = (response) => responses.push(response);
    const body = { name: 'Test', url: receiver.url, types: ['group.*'], enabled: false };
    const { body: webhook } = await admin.post<{ id: string }>('/api/webhook', body);
    for (let count = 0; count < 10; count++) await recordAct(service, `waiting ${count}`);
    await endOfFeed(service, admin);
    await admin.patch(`/api/webhook/${webhook.id}`, { enabled: true });
    await receiver.until(4, () => true);

    await service.app.get(WebhookDispatcherService, { strict: false }).beforeApplicationShutdown();
    receiver.answer = (response) => response.writeHead(204).end();
    for (const response of responses) response.writeHead(204).end();
    await eventually(countDelivered, (count) => count >= 4);
    expect(receiver.received).toHaveLength(4);
  });
});
