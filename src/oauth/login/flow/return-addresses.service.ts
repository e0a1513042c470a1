import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { contextOf } from '../../../platform/context';
import { allowedOrigins } from '../../../platform/http';
import { SettingsReader } from '../../../platform/settings';
import { returnAddress } from './return-address';

/** Where a browser may be sent at this very moment. */
@Injectable()
export class ReturnAddressesService {
  constructor(private readonly settings: SettingsReader) {}

  /** As it goes into `Location`; undefined where it may not. */
  async read(text: string, request: FastifyRequest): Promise<string | undefined> {
    const ownOrigin = contextOf(request).origin.origin;
    return returnAddress(text, { ownOrigin, allowedOrigins: await this.settings.get(allowedOrigins) });
  }
}
