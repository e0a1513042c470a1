import { Injectable } from '@nestjs/common';
import { Mail, Mailer, SendResult, SmsSender, TextMessage } from '../../../src/messaging';

export interface Letter {
  readonly to: string;
  readonly text: string;
}

/** All messages of the test file, whatever instance sent them. */
const sent: Letter[] = [];
let answer: SendResult = { outcome: 'accepted', provider: 'test' };

const take = (letter: Letter): SendResult => {
  sent.push(letter);
  return answer;
};

@Injectable()
class TestMailer extends Mailer {
  async isOffered(): Promise<boolean> {
    return testMessages.offered.has('email');
  }

  async send({ to, text }: Mail): Promise<SendResult> {
    return take({ to, text });
  }
}

@Injectable()
class TestSmsSender extends SmsSender {
  async isOffered(): Promise<boolean> {
    return testMessages.offered.has('sms');
  }

  async send({ to, text }: TextMessage): Promise<SendResult> {
    return take({ to, text });
  }
}

/** Receives messages of all services of the test file and prints none. */
export const testMessages = {
  extensions: { mailer: TestMailer, smsSender: TestSmsSender },
  offered: new Set(['email', 'sms']),
  to: (target: string): Letter[] => sent.filter(({ to }) => to === target),
  count: (): number => sent.length,
  /** The sent codes, newest last. Notices without a code also appear here. */
  codes: (target: string): string[] =>
    testMessages.to(target).flatMap(({ text }) => /(?<!\d)\d{6,8}(?!\d)/.exec(text)?.[0] ?? []),
  /** The newest code. Throws when there is none. */
  code(target: string): string {
    const code = testMessages.codes(target).at(-1);
    if (code === undefined) throw new Error(`No code was sent to ${target}`);
    return code;
  },
  /** Sets the result that senders return from now on. */
  answerWith(outcome: SendResult['outcome']): void {
    answer = { outcome, provider: 'test' };
  },
};

/** Options of services that send to it, which share one. */
export const WITH_POST_OFFICE = { identity: { extensions: testMessages.extensions } };
