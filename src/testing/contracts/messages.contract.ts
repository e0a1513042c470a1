import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { deliveryOutcomes } from '../../messaging';
import type { Mailer, SendResult, SmsSender } from '../../messaging';
import { ContractCase, contractOf, Make, UnderTest } from './contract-case';

export interface SenderUnderTest<Port> extends UnderTest {
  /** Configured, so that it can send. */
  readonly sender: Port;
  /** The number of messages that the provider has received. */
  handedOver(): number;
  /** Makes the provider accept messages without responding. */
  fallSilent(): void | Promise<void>;
  /** Makes the provider unreachable. */
  goAway(): void | Promise<void>;
}

/** `Mailer` and `SmsSender` must return an outcome within six seconds. */
const PATIENCE_MS = 6_000;
const RESULT = ['outcome', 'provider', 'providerMessageId', 'providerCode', 'costClass', 'retryAfterSeconds'];

async function sends(send: () => Promise<SendResult>, wanted: SendResult['outcome']): Promise<void> {
  const start = performance.now();
  const result = await send();
  const took = performance.now() - start;
  ok(took < PATIENCE_MS, `It took ${took} ms`);
  ok(deliveryOutcomes.includes(result.outcome), result.outcome);
  deepEqual(
    Object.keys(result).filter((key) => !RESULT.includes(key)),
    [],
  );
  match(result.provider, /^[a-z0-9_-]{1,32}$/);
  equal(result.outcome, wanted, JSON.stringify(result));
}

function senderContract<Port extends { isOffered(): Promise<boolean> }>(
  make: Make<SenderUnderTest<Port>>,
  send: (sender: Port) => Promise<SendResult>,
): ContractCase[] {
  return contractOf<SenderUnderTest<Port>>(make, {
    'is offered when it is configured': async ({ sender }) => {
      equal(await sender.isOffered(), true);
    },
    'sends each message once': async (under) => {
      await sends(() => send(under.sender), 'accepted');
      equal(under.handedOver(), 1);
    },
    'returns unknown for a message that may have been sent, and does not retry it': async (under) => {
      await under.fallSilent();
      await sends(() => send(under.sender), 'unknown');
      equal(under.handedOver(), 1);
    },
    'returns rejected for an unreachable provider instead of throwing': async (under) => {
      await under.goAway();
      await sends(() => send(under.sender), 'rejected');
    },
  });
}

/** The contract of every `Mailer`. */
export function mailerContract(make: Make<SenderUnderTest<Mailer>>): ContractCase[] {
  return senderContract(make, (mailer) =>
    mailer.send({ id: 'id-1', to: 'ann@example.com', subject: 'Code', text: 'The code is 123456', language: 'en' }),
  );
}

/** The contract of every `SmsSender`. */
export function smsSenderContract(make: Make<SenderUnderTest<SmsSender>>): ContractCase[] {
  return senderContract(make, (sender) =>
    sender.send({
      id: 'id-1',
      to: '+8613800138000',
      purpose: 'login',
      language: 'zh',
      text: '验证码 123456',
      parameters: { code: '123456' },
    }),
  );
}
