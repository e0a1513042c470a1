import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contextOf } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { KnownDevices, SessionCookies } from '../session';
import { LoggedIn, LoginService, RecogniseDevice } from './login.service';

const DEVICE_SECONDS = 400 * 86_400;

const isRecord = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/** A login over HTTP: what the browser brings is read, what it is to keep is set. */
@Injectable()
export class BrowserLogin {
  constructor(
    private readonly logins: LoginService,
    private readonly cookies: SessionCookies,
    private readonly devices: KnownDevices,
  ) {}

  async login(body: unknown, request: FastifyRequest, reply: FastifyReply): Promise<LoggedIn & { accessEnd: Date }> {
    if (!isRecord(body)) throw platformErrors.validationFailed({ fields: [{ field: '', code: 'type_object' }] });
    const loggedIn = await this.logins.login(body, contextOf(request), await this.recogniser(request));
    const accessEnd = await this.cookies.write(request, reply, loggedIn.session);
    const known = this.devices.remember(await this.cookies.read(request, 'device'), loggedIn.user);
    await this.cookies.writeDevice(request, reply, known, loggedIn.session.remember ? DEVICE_SECONDS : undefined);
    return { ...loggedIn, accessEnd };
  }

  async recogniser(request: FastifyRequest): Promise<RecogniseDevice> {
    const cookies = await this.cookies.read(request, 'device');
    return (owner) => this.devices.recognise(cookies, owner);
  }
}
