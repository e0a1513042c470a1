import { Injectable, OnModuleInit, SetMetadata } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { UserCreatedListener, UserEvents } from './user-events';

const ON_USER_CREATE = Symbol('castellan.on_user_create');

/** Marks a method of any provider as a listener to new users; it is given `UserCreated`. */
export const OnUserCreate = (): MethodDecorator => SetMetadata(ON_USER_CREATE, true);

/** Finds the methods marked `@OnUserCreate()` in the whole application. */
@Injectable()
export class UserCreateExplorer implements OnModuleInit {
  private readonly scanner = new MetadataScanner();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly events: UserEvents,
  ) {}

  onModuleInit(): void {
    for (const { instance } of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      if (typeof instance === 'object' && instance !== null) this.explore(instance as Record<string, unknown>);
    }
  }

  private explore(instance: Record<string, unknown>): void {
    const prototype = Object.getPrototypeOf(instance) as object | null;
    for (const name of this.scanner.getAllMethodNames(prototype)) {
      const method = instance[name];
      if (typeof method !== 'function' || !this.reflector.get<boolean>(ON_USER_CREATE, method)) continue;
      this.events.onUserCreate((method as UserCreatedListener).bind(instance));
    }
  }
}
