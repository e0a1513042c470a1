import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { contextOf } from '../../../platform/context';
import { allowedOrigins } from '../../../platform/http';
import { SettingsReader } from '../../../platform/settings';
import { returnAddress } from './return-address';

/** Validates return URLs with the current settings. */
@Injectable()
export class ReturnAddressesService {
  constructor(private readonly settings: SettingsReader) {}

  /** Returns the value for `Location`. Undefined if the URL is not allowed. */
  async read(text: string, request: FastifyRequest): Promise<string | undefined> {
    const ownOrigin = contextOf(request).origin.origin;
    return returnAddress(text, { ownOrigin, allowedOrigins: await this.settings.get(allowedOrigins) });
  }
}
