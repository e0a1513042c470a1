import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Environment } from '../config';

/** Issuer identifier of the OpenID Connect provider, independent of the host of a request. */
@Injectable()
export class IssuerService {
  /** Kept for logout notifications after the server has stopped listening. */
  private givenPort: number | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly host: HttpAdapterHost,
  ) {}

  /** An origin. With `PORT=0`, it is known once the server listens. */
  get url(): string {
    const { publicUrl, host, port } = this.environment;
    if (publicUrl !== undefined) return publicUrl;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port === 0 ? this.portNow() : port}`;
  }

  private portNow(): number {
    // The command line has no HTTP adapter.
    const adapter = this.host.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined;
    const address = (adapter?.getHttpServer() as Server | undefined)?.address();
    if (typeof address === 'object' && address !== null) this.givenPort = address.port;
    return this.givenPort ?? 0;
  }
}
