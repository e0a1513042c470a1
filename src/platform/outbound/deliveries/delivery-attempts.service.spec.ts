import { DeliveryAttemptsService, DeliveryKind } from './delivery-attempts.service';

const EVENTS: DeliveryKind = { name: 'events', maxRunning: 40 };
const LOGOUTS: DeliveryKind = { name: 'logouts', maxRunning: 20 };

const hanging = (): Promise<void> => new Promise(() => undefined);

describe('DeliveryAttemptsService', () => {
  it('runs four attempts of a receiver at a time', async () => {
    const attempts = new DeliveryAttemptsService();
    let running = 0;
    for (let count = 0; count < 9; count++) {
      void attempts.run(EVENTS, 'receiver', () => {
        running++;
        return hanging();
      });
    }
    expect(running).toBe(4);
    await expect(attempts.run(EVENTS, 'another', async () => 'sent')).resolves.toBe('sent');
  });

  it('keeps room for logouts while all attempts of events hang', async () => {
    const attempts = new DeliveryAttemptsService();
    let running = 0;
    for (let receiver = 0; receiver < 50; receiver++) {
      void attempts.run(EVENTS, `receiver ${receiver}`, () => {
        running++;
        return hanging();
      });
    }
    expect(running).toBe(40);
    await expect(attempts.run(LOGOUTS, 'application', async () => 'sent')).resolves.toBe('sent');
  });
});
