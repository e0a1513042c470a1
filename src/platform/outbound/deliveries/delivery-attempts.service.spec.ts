import { DeliveryAttemptsService } from './delivery-attempts.service';

const hanging = (): Promise<void> => new Promise(() => undefined);

describe('DeliveryAttemptsService', () => {
  it('runs four attempts of a receiver at a time', async () => {
    const attempts = new DeliveryAttemptsService();
    let running = 0;
    for (let count = 0; count < 9; count++) {
      void attempts.run('webhook', 'receiver', () => {
        running++;
        return hanging();
      });
    }
    expect(running).toBe(4);
    await expect(attempts.run('webhook', 'another', async () => 'sent')).resolves.toBe('sent');
  });

  it('keeps room for logouts while all attempts of events hang', async () => {
    const attempts = new DeliveryAttemptsService();
    let running = 0;
    for (let receiver = 0; receiver < 50; receiver++) {
      void attempts.run('webhook', `receiver ${receiver}`, () => {
        running++;
        return hanging();
      });
    }
    expect(running).toBe(40);
    await expect(attempts.run('logout', 'application', async () => 'sent')).resolves.toBe('sent');
  });
});
