import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Environment } from '../config';

/** By which the OpenID Connect provider calls itself, whatever host a request names. */
@Injectable()
export class IssuerService {
  /** Kept: logouts are still told when the server listens no more. */
  private givenPort: number | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly host: HttpAdapterHost,
  ) {}

  /** An origin. Where any free port was asked for, it is known once the server listens. */
  get url(): string {
    const { publicUrl, host, port } = this.environment;
    if (publicUrl !== undefined) return publicUrl;
    return `http://${host.includes(':') ? `[${host}]` : host}:${port === 0 ? this.portNow() : port}`;
  }

  private portNow(): number {
    // The command line has no adapter at all.
    const adapter = this.host.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined;
    const address = (adapter?.getHttpServer() as Server | undefined)?.address();
    if (typeof address === 'object' && address !== null) this.givenPort = address.port;
    return this.givenPort ?? 0;
  }
}
