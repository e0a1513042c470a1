import { Injectable } from '@nestjs/common';
import { SecretBox } from '../platform/crypto';
import { codeAsMade } from '../platform/text';
import { CodePlace } from './code.repository';

const PURPOSE = 'verification_code';

/** A code bound to where it stands. */
export interface BoundCode extends CodePlace {
  readonly id: string;
  readonly code: string;
}

/** Codes as they are stored: by a keyed digest, for six digits are soon tried out. */
@Injectable()
export class CodeDigestService {
  constructor(private readonly box: SecretBox) {}

  of(bound: BoundCode): string {
    return this.box.mac(PURPOSE, textOf(bound));
  }

  /** In constant time. */
  matches(bound: BoundCode, digest: string): boolean {
    return this.box.verifyMac(PURPOSE, textOf(bound), digest);
  }
}

const textOf = ({ purpose, channel, key, id, code }: BoundCode): string =>
  JSON.stringify([purpose, channel, key, id, codeAsMade(code)]);
