import { Injectable } from '@nestjs/common';
import { SecretBox } from '../platform/crypto';
import { codeAsMade } from '../platform/util';
import { CodePlace } from './code.repository';

const PURPOSE = 'verification_code';

/** A code with everything that its digest is bound to. */
export interface BoundCode extends CodePlace {
  readonly id: string;
  readonly code: string;
}

/** Codes are stored as keyed digests, because a plain digest of six digits could be reversed by trial. */
@Injectable()
export class CodeDigestService {
  constructor(private readonly box: SecretBox) {}

  digest(bound: BoundCode): string {
    return this.box.mac(PURPOSE, textOf(bound));
  }

  /** Compares in constant time. */
  matches(bound: BoundCode, digest: string): boolean {
    return this.box.verifyMac(PURPOSE, textOf(bound), digest);
  }
}

const textOf = ({ purpose, channel, key, id, code }: BoundCode): string =>
  JSON.stringify([purpose, channel, key, id, codeAsMade(code)]);
